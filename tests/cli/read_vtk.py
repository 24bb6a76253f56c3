# SPDX-License-Identifier: MIT
"""Reads VTK files with VTK itself and prints what is in them, for part_export.sh.

read_vtk.py FILE: a line "points N", "verts N", "lines N", "polys N" or "cells N", and for each array
"point|cell NAME COMPONENTS TUPLES SUM", where the sum leaves out what is not a number; then which
array glyphs take their direction from; then "volume V" inside the triangles or tetrahedra. Anything
that VTK complains about ends it with status 1.
"""
import math
import sys

from vtkmodules.vtkCommonCore import vtkOutputWindow
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

complaints = []
window = vtkOutputWindow()
window.AddObserver("ErrorEvent", lambda *_: complaints.append("error"))
vtkOutputWindow.SetInstance(window)

path = sys.argv[1]
is_poly = path.endswith(".vtp")
reader = vtkXMLPolyDataReader() if is_poly else vtkXMLUnstructuredGridReader()
reader.AddObserver("ErrorEvent", lambda *_: complaints.append("error"))
if not reader.CanReadFile(path):
    sys.exit(f"{path}: VTK cannot read this")
reader.SetFileName(path)
reader.Update()
data = reader.GetOutput()
print("points", data.GetNumberOfPoints())
print("cells", data.GetNumberOfCells())
if is_poly:
    print("verts", data.GetNumberOfVerts())
    print("lines", data.GetNumberOfLines())
    print("polys", data.GetNumberOfPolys())
for where, arrays in (("point", data.GetPointData()), ("cell", data.GetCellData())):
    for i in range(arrays.GetNumberOfArrays()):
        array = arrays.GetArray(i)
        values = [
            array.GetComponent(t, c)
            for t in range(array.GetNumberOfTuples())
            for c in range(array.GetNumberOfComponents())
        ]
        total = sum(v for v in values if not math.isnan(v))
        print(where, arrays.GetArrayName(i), array.GetNumberOfComponents(),
              array.GetNumberOfTuples(), repr(round(total, 6)))
for where, arrays in (("point", data.GetPointData()), ("cell", data.GetCellData())):
    if arrays.GetVectors():
        print(where, "vectors", arrays.GetVectors().GetName())
for i in range(data.GetNumberOfCells()):
    cell = data.GetCell(i)
    if any(not 0 <= cell.GetPointId(k) < data.GetNumberOfPoints()
           for k in range(cell.GetNumberOfPoints())):
        complaints.append("index")


def signed_volume(a, b, c, d=(0, 0, 0)):
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ([p[k] - d[k] for k in range(3)] for p in (a, b, c))
    return (ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)) / 6


volume = 0
for i in range(data.GetNumberOfCells()):
    cell = data.GetCell(i)
    corners = [data.GetPoint(cell.GetPointId(k)) for k in range(cell.GetNumberOfPoints())]
    if is_poly and len(corners) == 3:
        volume += signed_volume(*corners)
    elif not is_poly:
        volume -= signed_volume(*corners)  # three faces of a tetrahedron, seen from the fourth corner
print(f"volume {volume:.2f}")
if complaints:
    sys.exit(f"{path}: {complaints}")
