// SPDX-License-Identifier: MIT
// That the cones behind all faces that a point is behind are a cover: let x be a point of the
// solid, M the faces that it is behind, and y any point behind all of M. If the way from x to y
// left the solid it would do so through a face from behind, which x is behind and y is not. So all
// that is behind M is solid. x itself may be just behind the surface: what enters the solid comes
// through there. Between the planes of the other faces M is the same everywhere on a face; each
// such piece of surface gives one M, of which then all are dropped that nothing needs.
#include "geometry/convex_cover.h"

/// What of a face, between the planes of others, is behind the same ones.
typedef struct piece {
  int face;
  uint32_t behind; ///< faces
  double breadth;  ///< of all of it, in chords of the unit sphere
  double width;    ///< of its widest part
  ts_vec3 middle;  ///< of that
} piece;

enum { PIECES_MAX = 512 };

typedef struct cover {
  const ts_local_surface *surface;
  const ts_face_sector *sectors;
  size_t sector_count;
  double angle_rad;
  int piece_count;
  piece pieces[PIECES_MAX];
} cover;

/// Whether the sector reaches into the cone behind all of `faces`: whether some (1 - t) from + t to
/// is deeper than the angle behind each.
static bool sector_reaches_in(const cover *c, const ts_face_sector *sector, uint32_t faces) {
  double low = 0, high = 1;
  for (int i = 0; i < c->surface->face_count; i++) {
    if (!(faces >> i & 1))
      continue;
    double at_from = -ts_vec3_dot(c->surface->normals[i], sector->from) - c->angle_rad;
    double at_to = -ts_vec3_dot(c->surface->normals[i], sector->to) - c->angle_rad;
    if (at_from <= 0 && at_to <= 0)
      return false;
    if (at_from <= 0)
      low = ts_max(low, at_from / (at_from - at_to));
    else if (at_to <= 0)
      high = ts_min(high, at_from / (at_from - at_to));
  }
  return low < high;
}

static bool is_solid_behind(const cover *c, uint32_t faces) {
  for (size_t s = 0; s < c->sector_count; s++)
    if (!(faces >> c->sectors[s].face & 1) && sector_reaches_in(c, &c->sectors[s], faces))
      return false;
  return true;
}

/// A sector against the planes of all faces.
typedef struct sector_heights {
  const ts_face_sector *sector;
  double from[TS_LOCAL_FACES_MAX], to[TS_LOCAL_FACES_MAX]; ///< of its ends over each plane
  uint32_t within;                                         ///< the faces in whose planes it lies
  uint32_t under; ///< of those, the ones that a point just behind it is behind
} sector_heights;

static void measure(sector_heights *h, const cover *c, const ts_face_sector *sector) {
  h->sector = sector;
  h->within = h->under = 0;
  const ts_vec3 *normals = c->surface->normals;
  for (int i = 0; i < c->surface->face_count; i++) {
    h->from[i] = ts_vec3_dot(normals[i], sector->from);
    h->to[i] = ts_vec3_dot(normals[i], sector->to);
    if (i != sector->face && (fabs(h->from[i]) > c->angle_rad || fabs(h->to[i]) > c->angle_rad))
      continue;
    h->within |= 1u << i;
    if (ts_vec3_dot(normals[i], normals[sector->face]) > 0)
      h->under |= 1u << i;
  }
}

/// The faces that a point just behind the sector at (1 - t) from + t to is behind.
static uint32_t faces_behind(const cover *c, const sector_heights *h, double t) {
  uint32_t behind = h->under;
  for (int i = 0; i < c->surface->face_count; i++)
    if (!(h->within >> i & 1) && (1 - t) * h->from[i] + t * h->to[i] < 0)
      behind |= 1u << i;
  return behind;
}

/// Adds the piece of a sector between two cuts. False when there is no room.
static bool add_piece(cover *c, const sector_heights *h, double from_t, double to_t) {
  const ts_face_sector *sector = h->sector;
  ts_vec3 from = ts_vec3_unit(ts_vec3_lerp(sector->from, sector->to, from_t));
  ts_vec3 to = ts_vec3_unit(ts_vec3_lerp(sector->from, sector->to, to_t));
  double width = ts_vec3_distance(from, to);
  if (!(width > c->angle_rad))
    return true;
  uint32_t behind = faces_behind(c, h, 0.5 * (from_t + to_t));
  int at = 0;
  while (at < c->piece_count &&
         (c->pieces[at].face != sector->face || c->pieces[at].behind != behind))
    at++;
  if (at == PIECES_MAX)
    return false;
  piece *p = &c->pieces[at];
  if (at == c->piece_count) {
    c->piece_count++;
    *p = (piece){.face = sector->face, .behind = behind};
  }
  p->breadth += width;
  if (width > p->width) {
    p->width = width;
    p->middle = ts_vec3_unit(ts_vec3_add(from, to));
  }
  return true;
}

/// Cuts a sector by the planes of the other faces.
static bool cut_sector(cover *c, const ts_face_sector *sector) {
  sector_heights h;
  measure(&h, c, sector);
  double cuts[TS_LOCAL_FACES_MAX + 2];
  int count = 0;
  cuts[count++] = 0;
  for (int i = 0; i < c->surface->face_count; i++) {
    if ((h.within >> i & 1) || !(h.from[i] * h.to[i] < 0))
      continue;
    double t = h.from[i] / (h.from[i] - h.to[i]);
    int k = count++;
    for (; cuts[k - 1] > t; k--)
      cuts[k] = cuts[k - 1];
    cuts[k] = t;
  }
  cuts[count] = 1;
  for (int i = 0; i < count; i++)
    if (!add_piece(c, &h, cuts[i], cuts[i + 1]))
      return false;
  return true;
}

static uint32_t planes_of(ts_convex_run run) {
  return run.faces | run.cuts;
}

static bool is_covered(const piece *p, ts_convex_run run) {
  return (planes_of(run) & ~p->behind) == 0;
}

static bool is_covered_by_any(const piece *p, const ts_convex_run *runs, int count) {
  for (int i = 0; i < count; i++)
    if (is_covered(p, runs[i]))
      return true;
  return false;
}

/// The broadest piece that no run covers; NULL: none.
static const piece *find_uncovered(const cover *c, const ts_convex_run *runs, int count) {
  const piece *broadest = NULL;
  for (int i = 0; i < c->piece_count; i++)
    if ((!broadest || c->pieces[i].breadth > broadest->breadth) &&
        !is_covered_by_any(&c->pieces[i], runs, count))
      broadest = &c->pieces[i];
  return broadest;
}

/// Of the planes that a piece is behind, those that are needed for nothing but solid to be behind
/// all: the farthest from it are dropped first, where they can be.
static ts_convex_run run_behind(const cover *c, const piece *p) {
  uint32_t kept = p->behind, tried = 1u << p->face;
  for (;;) {
    int farthest = -1;
    double largest = -1;
    for (int i = 0; i < c->surface->face_count; i++) {
      double away = fabs(ts_vec3_dot(c->surface->normals[i], p->middle));
      if ((kept & ~tried) >> i & 1 && away > largest) {
        largest = away;
        farthest = i;
      }
    }
    if (farthest < 0)
      break;
    tried |= 1u << farthest;
    if (is_solid_behind(c, kept & ~(1u << farthest)))
      kept &= ~(1u << farthest);
  }
  const ts_convex_run planes = {.cuts = kept};
  uint32_t bordering = 0;
  for (int i = 0; i < c->piece_count; i++)
    if (is_covered(&c->pieces[i], planes))
      bordering |= 1u << c->pieces[i].face;
  // Faces in one plane border on it as well as the one that is kept.
  bordering &= p->behind;
  return (ts_convex_run){.faces = bordering, .cuts = kept & ~bordering};
}

/// Whether the others cover all that run `at` does.
static bool is_needless(const cover *c, const ts_convex_run *runs, int count, int at) {
  for (int i = 0; i < c->piece_count; i++)
    if (is_covered(&c->pieces[i], runs[at]) && !is_covered_by_any(&c->pieces[i], runs, at) &&
        !is_covered_by_any(&c->pieces[i], runs + at + 1, count - at - 1))
      return false;
  return true;
}

/// Whether each sector, as a whole, is on the cone of a run that has its face: then no piece of the
/// surface is without a run, mostly so, and nothing is to be cut.
static bool all_on_runs(const cover *c, const ts_convex_run *runs, int count) {
  for (size_t s = 0; s < c->sector_count; s++) {
    const ts_face_sector *sector = &c->sectors[s];
    bool is_on = false;
    for (int r = 0; r < count && !is_on; r++) {
      is_on = runs[r].faces >> sector->face & 1;
      for (int i = 0; i < c->surface->face_count && is_on; i++)
        if ((runs[r].faces >> i & 1) && i != sector->face)
          is_on = ts_vec3_dot(c->surface->normals[i], sector->from) <= c->angle_rad &&
                  ts_vec3_dot(c->surface->normals[i], sector->to) <= c->angle_rad;
    }
    if (!is_on)
      return false;
  }
  return true;
}

int ts_convex_cover(ts_convex_run runs[TS_RUNS_MAX], int count, const ts_local_surface *surface,
                    const ts_face_sector *sectors, size_t sector_count, double angle_rad) {
  cover c; // large and mostly unused, so it is not cleared for every corner of a mesh
  c.surface = surface;
  c.sectors = sectors;
  c.sector_count = sector_count;
  c.angle_rad = angle_rad;
  c.piece_count = 0;
  int largest = 0;
  for (int i = 0; i < count; i++)
    if (is_solid_behind(&c, runs[i].faces))
      runs[largest++] = runs[i];
  count = largest;
  if (all_on_runs(&c, runs, count))
    return count;
  for (size_t s = 0; s < sector_count; s++)
    if (!cut_sector(&c, &sectors[s]))
      return -1;
  for (const piece *p; (p = find_uncovered(&c, runs, count));) {
    if (count == TS_RUNS_MAX)
      return -1;
    runs[count++] = run_behind(&c, p);
  }
  for (int i = count - 1; i >= largest; i--)
    if (is_needless(&c, runs, count, i)) {
      count--;
      for (int k = i; k < count; k++)
        runs[k] = runs[k + 1];
    }
  return count;
}
