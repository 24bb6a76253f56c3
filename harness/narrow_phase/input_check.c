// SPDX-License-Identifier: MIT
#include "harness/narrow_phase/input_check.h"

#include "base/hash.h"
#include "cases/truth/oracle_truth.h"

/// What a geometry points at, too.
static uint64_t hash_geometry(uint64_t hash, const ts_geometry *geometry) {
  hash = ts_hash_fast(hash, geometry, sizeof *geometry);
  const ts_heightfield *field = geometry->heightfield;
  if (field)
    hash = ts_hash_fast(hash, field->heights_m,
                        field->row_count * field->column_count * sizeof *field->heights_m);
  const ts_open_mesh *surface = geometry->surface;
  if (!surface)
    return hash;
  hash = ts_hash_fast(hash, surface->vertices, surface->vertex_count * sizeof *surface->vertices);
  return ts_hash_fast(hash, surface->triangles,
                      surface->triangle_count * sizeof *surface->triangles);
}

uint64_t ts_input_hash_mesh(const ts_mesh *mesh) {
  uint64_t hash = ts_hash_fast(TS_HASH_START, mesh, sizeof *mesh);
  hash = ts_hash_fast(hash, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  hash = ts_hash_fast(hash, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
  if (mesh->edge_twin)
    hash = ts_hash_fast(hash, mesh->edge_twin, 3 * mesh->triangle_count * sizeof(uint32_t));
  if (mesh->geometry)
    hash = hash_geometry(hash, mesh->geometry);
  if (mesh->tet_count == 0)
    return hash;
  hash = ts_hash_fast(hash, mesh->tets, mesh->tet_count * sizeof *mesh->tets);
  return mesh->tet_surface ? ts_hash_fast(hash, mesh->tet_surface, mesh->tet_count) : hash;
}

uint64_t ts_input_hash_shapes(const ts_scene *scene) {
  size_t count = scene->shape_count;
  uint64_t hash = ts_hash_fast(TS_HASH_START, scene->shapes, count * sizeof *scene->shapes);
  for (size_t i = 0; i < count; i++) {
    const ts_shape *shape = &scene->shapes[i];
    uint64_t of_mesh = ts_input_hash_mesh(shape->mesh);
    hash = ts_hash_fast(hash, &of_mesh, sizeof of_mesh);
    hash = hash_geometry(hash, &shape->geometry);
    for (size_t p = 0; p < shape->piece_count; p++) {
      of_mesh = ts_input_hash_mesh(shape->pieces[p]);
      hash = ts_hash_fast(hash, &of_mesh, sizeof of_mesh);
    }
  }
  return hash;
}

static uint64_t hash_region(uint64_t hash, const ts_region *region) {
  hash = ts_hash_fast(hash, region->vertices, region->vertex_count * sizeof *region->vertices);
  hash = ts_hash_fast(hash, region->pieces, region->piece_count * sizeof *region->pieces);
  if (region->is_optional)
    hash = ts_hash_fast(hash, region->is_optional, region->vertex_count);
  for (size_t i = 0; i < region->piece_count; i++) {
    const ts_polygon *piece = &region->pieces[i];
    hash = ts_hash_fast(hash, piece->vertices, piece->count * sizeof *piece->vertices);
  }
  for (int k = 0; k < TS_REFERENCE_COUNT; k++) {
    const ts_feasible_set *set = &region->feasible[k];
    hash = ts_hash_fast(hash, set->normals, set->count * sizeof *set->normals);
  }
  return hash;
}

static uint64_t hash_joint(uint64_t hash, const ts_joint *joint) {
  hash = ts_hash_fast(hash, joint->feature_a_local, joint->count_a * sizeof(ts_vec3));
  hash = ts_hash_fast(hash, joint->feature_b_local, joint->count_b * sizeof(ts_vec3));
  for (int k = 0; k < TS_REFERENCE_COUNT; k++)
    hash = ts_hash_fast(hash, joint->normals_local[k], joint->normal_count[k] * sizeof(ts_vec3));
  return hash;
}

static uint64_t hash_elastic(uint64_t hash, const ts_elastic *elastic) {
  hash = ts_hash_fast(hash, elastic, sizeof *elastic);
  return ts_hash_fast(hash, elastic->clamped, elastic->clamped_count * sizeof *elastic->clamped);
}

static uint64_t hash_oracle(uint64_t hash, const ts_oracle_truth *oracle) {
  hash = ts_hash_fast(hash, oracle, sizeof *oracle);
  hash = ts_hash_fast(hash, oracle->pairs, oracle->pair_count * sizeof *oracle->pairs);
  for (size_t i = 0; i < oracle->pair_count; i++)
    hash = ts_hash_fast(hash, oracle->pairs[i].answers, oracle->pairs[i].try_count);
  return hash;
}

uint64_t ts_input_hash_truth(const ts_scene *scene) {
  uint64_t hash = ts_hash_fast(TS_HASH_START, scene, sizeof *scene);
  hash = ts_hash_fast(hash, scene->bodies, scene->body_count * sizeof *scene->bodies);
  hash = ts_hash_fast(hash, scene->joints, scene->joint_count * sizeof *scene->joints);
  hash = ts_hash_fast(hash, scene->regions, scene->region_count * sizeof *scene->regions);
  hash = ts_hash_fast(hash, scene->unknown, scene->unknown_count * sizeof *scene->unknown);
  hash = ts_hash_fast(hash, scene->excluded, scene->excluded_count * sizeof *scene->excluded);
  for (size_t i = 0; i < scene->body_count; i++)
    if (scene->bodies[i].elastic)
      hash = hash_elastic(hash, scene->bodies[i].elastic);
  for (size_t i = 0; i < scene->joint_count; i++)
    hash = hash_joint(hash, &scene->joints[i]);
  for (size_t i = 0; i < scene->region_count; i++)
    hash = hash_region(hash, &scene->regions[i]);
  return scene->oracle ? hash_oracle(hash, scene->oracle) : hash;
}
