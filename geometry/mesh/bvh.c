// SPDX-License-Identifier: MIT
#include "geometry/mesh/bvh.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdbool.h>

// Items of a leaf, at most. Of single items, most of which are tested alone, and of blocks.
#define LEAF_ITEMS      4u
#define LEAF_MOST       ((uint32_t)TS_BVH_BLOCK_MOST)
#define BIN_COUNT       16
// Splits follow the surface area heuristic down to here and halve the items below, so that no input
// makes the tree deeper than MAX_DEPTH: 32 halvings end every count that fits 32 bits.
#define HEURISTIC_DEPTH 40u
#define MAX_DEPTH       (HEURISTIC_DEPTH + 32u)
#define LARGEST_COUNT   ((size_t)1 << 30)

/// The children of an inner node are side by side, in one line of the cache: a traversal waits
/// for little else. The box is rounded outwards for that.
typedef struct node {
  float low[3], high[3];
  uint32_t first; ///< Inner: the first child. Leaf: the first item, in tree order.
  uint32_t count; ///< Items of a leaf; 0: inner.
} node;
#define CACHE_LINE ((size_t)64)

struct ts_bvh {
  size_t node_count, item_count;
  uint32_t leaf_items; ///< at most
  node *nodes;     ///< Root first, then a gap, then pairs of children; none when there is no item.
  ts_aabb bounds;  ///< of all items
  ts_aabb *boxes;  ///< [item_count] in tree order
  uint32_t *items; ///< [item_count] the caller's index of each
};

static double component(ts_vec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static float below(double x) {
  float near = (float)x;
  return (double)near > x ? nextafterf(near, -INFINITY) : near;
}

static float above(double x) {
  float near = (float)x;
  return (double)near < x ? nextafterf(near, INFINITY) : near;
}

static void set_box(node *n, ts_aabb box) {
  for (int i = 0; i < 3; i++) {
    n->low[i] = below(component(box.low, i));
    n->high[i] = above(component(box.high, i));
  }
}

static ts_aabb box_of(const node *n) {
  return (ts_aabb){{(double)n->low[0], (double)n->low[1], (double)n->low[2]},
                   {(double)n->high[0], (double)n->high[1], (double)n->high[2]}};
}

/// Half the surface area, the measure of how often a box is hit.
static double half_area(ts_aabb box) {
  ts_vec3 d = ts_vec3_sub(box.high, box.low);
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

static int longest_axis(ts_vec3 size) {
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/// How a range of items is cut: bins along one axis, those before `bin` go left.
typedef struct split {
  int axis;
  double low, bins_per_m;
  int bin; ///< 0: no cut found
} split;

static int bin_of(const split *s, ts_aabb box) {
  double at = (component(ts_aabb_centre(box), s->axis) - s->low) * s->bins_per_m;
  return at < BIN_COUNT - 1 ? (int)at : BIN_COUNT - 1;
}

/// What one side of a cut costs; nothing on it makes the cut useless.
static double side_cost(ts_aabb box, size_t count) {
  return count ? half_area(box) * (double)count : (double)INFINITY;
}

/// Sorts the items into bins. Zero when their centres all lie in one place.
static int fill_bins(ts_aabb bins[BIN_COUNT], size_t counts[BIN_COUNT], split *s,
                     const ts_aabb *boxes, size_t count, ts_aabb centres) {
  ts_vec3 size = ts_vec3_sub(centres.high, centres.low);
  s->axis = longest_axis(size);
  s->low = component(centres.low, s->axis);
  s->bins_per_m = BIN_COUNT / component(size, s->axis);
  if (!isfinite(s->bins_per_m))
    return 0;
  for (int i = 0; i < BIN_COUNT; i++)
    bins[i] = ts_aabb_empty();
  for (size_t i = 0; i < count; i++) {
    int bin = bin_of(s, boxes[i]);
    bins[bin] = ts_aabb_join(bins[bin], boxes[i]);
    counts[bin]++;
  }
  return 1;
}

/// The cheapest cut by areas x counts of both sides; of equals (boxes without area) the most even
/// one. `centres` is the box of the items' centres.
static split choose_split(const ts_aabb *boxes, size_t count, ts_aabb centres) {
  split s = {.bin = 0};
  ts_aabb bins[BIN_COUNT], box = ts_aabb_empty();
  size_t counts[BIN_COUNT] = {0}, items = 0;
  if (!fill_bins(bins, counts, &s, boxes, count, centres))
    return s;
  double right_cost[BIN_COUNT];
  for (int i = BIN_COUNT - 1; i > 0; i--) {
    box = ts_aabb_join(box, bins[i]);
    items += counts[i];
    right_cost[i] = side_cost(box, items);
  }
  double best = INFINITY;
  size_t best_larger = count;
  box = ts_aabb_empty();
  items = 0;
  for (int i = 1; i < BIN_COUNT; i++) {
    box = ts_aabb_join(box, bins[i - 1]);
    items += counts[i - 1];
    double cost = side_cost(box, items) + right_cost[i];
    size_t larger = items > count - items ? items : count - items;
    if (cost < best || (cost == best && larger < best_larger && isfinite(cost))) {
      best = cost;
      best_larger = larger;
      s.bin = i;
    }
  }
  return s;
}

static void swap_items(ts_bvh *bvh, size_t i, size_t k) {
  ts_aabb box = bvh->boxes[i];
  uint32_t item = bvh->items[i];
  bvh->boxes[i] = bvh->boxes[k];
  bvh->items[i] = bvh->items[k];
  bvh->boxes[k] = box;
  bvh->items[k] = item;
}

/// Brings the items left of the cut to the front; returns where the right ones begin.
static size_t partition(ts_bvh *bvh, size_t begin, size_t end, const split *s) {
  while (begin < end) {
    if (bin_of(s, bvh->boxes[begin]) < s->bin)
      begin++;
    else
      swap_items(bvh, begin, --end);
  }
  return begin;
}

/// Items [begin, end) that node `index` is to hold.
typedef struct task {
  size_t index, begin, end;
  uint32_t depth;
} task;

/// Where to cut the items of a node; its box is set on the way.
static size_t divide(ts_bvh *bvh, const task *t) {
  ts_aabb box = ts_aabb_empty(), centres = ts_aabb_empty();
  for (size_t i = t->begin; i < t->end; i++) {
    box = ts_aabb_join(box, bvh->boxes[i]);
    centres = ts_aabb_add(centres, ts_aabb_centre(bvh->boxes[i]));
  }
  set_box(&bvh->nodes[t->index], box);
  if (t->index == 0)
    bvh->bounds = box;
  size_t count = t->end - t->begin, middle = t->begin + count / 2;
  if (count <= bvh->leaf_items || t->depth >= HEURISTIC_DEPTH)
    return middle;
  split s = choose_split(bvh->boxes + t->begin, count, centres);
  return s.bin ? partition(bvh, t->begin, t->end, &s) : middle;
}

static void build(ts_bvh *bvh) {
  task stack[MAX_DEPTH + 1];
  size_t waiting = 0;
  if (bvh->item_count)
    stack[waiting++] = (task){0, 0, bvh->item_count, 0};
  bvh->node_count = bvh->item_count ? 2 : 0; // children are in pairs from the third on
  while (waiting) {
    task t = stack[--waiting];
    size_t middle = divide(bvh, &t);
    node *n = &bvh->nodes[t.index];
    if (t.end - t.begin <= bvh->leaf_items) {
      n->first = (uint32_t)t.begin;
      n->count = (uint32_t)(t.end - t.begin);
      continue;
    }
    n->first = (uint32_t)bvh->node_count;
    bvh->node_count += 2;
    stack[waiting++] = (task){n->first + 1, middle, t.end, t.depth + 1};
    stack[waiting++] = (task){n->first, t.begin, middle, t.depth + 1};
  }
}

/// A hierarchy whose boxes wait to be filled in the order of the items.
static ts_status allocate(ts_bvh **out, ts_arena *arena, size_t count, uint32_t leaf_items) {
  if (count > LARGEST_COUNT)
    return ts_fail(TS_E_INPUT, "%zu boxes are more than the %zu that are supported", count,
                   LARGEST_COUNT);
  ts_bvh *bvh = ts_arena_alloc(arena, sizeof *bvh);
  if (!bvh)
    return TS_E_MEMORY;
  bvh->item_count = count;
  bvh->leaf_items = leaf_items;
  bvh->bounds = ts_aabb_empty();
  // One node more for the gap, and two to begin with a line of the cache.
  node *nodes = ts_arena_array(arena, 2 * count + 3, sizeof *nodes);
  bvh->boxes = ts_arena_array(arena, count, sizeof *bvh->boxes);
  bvh->items = ts_arena_array(arena, count, sizeof *bvh->items);
  if (!nodes || !bvh->boxes || !bvh->items)
    return TS_E_MEMORY;
  bvh->nodes = nodes + (CACHE_LINE - (uintptr_t)nodes % CACHE_LINE) / sizeof *nodes % 2;
  for (size_t i = 0; i < count; i++)
    bvh->items[i] = (uint32_t)i;
  *out = bvh;
  return TS_OK;
}

static ts_status check_boxes(const ts_aabb *boxes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ts_vec3 size = ts_vec3_sub(boxes[i].high, boxes[i].low);
    if (!ts_vec3_is_finite(size) || !ts_vec3_is_finite(ts_aabb_centre(boxes[i])) ||
        !(size.x >= 0 && size.y >= 0 && size.z >= 0))
      return ts_fail(TS_E_INPUT,
                     "box %zu runs from (%g, %g, %g) to (%g, %g, %g): a box must be finite and not "
                     "upside down",
                     i, boxes[i].low.x, boxes[i].low.y, boxes[i].low.z, boxes[i].high.x,
                     boxes[i].high.y, boxes[i].high.z);
  }
  return TS_OK;
}

ts_status ts_bvh_create(ts_bvh **out, ts_arena *arena, const ts_aabb *boxes, size_t count) {
  TS_TRY(check_boxes(boxes, count));
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = allocate(out, arena, count, LEAF_ITEMS);
  if (status != TS_OK) {
    ts_arena_rewind(arena, mark);
    return status;
  }
  for (size_t i = 0; i < count; i++)
    (*out)->boxes[i] = boxes[i];
  build(*out);
  return TS_OK;
}

static ts_status create_for_mesh(ts_bvh **out, ts_arena *arena, const ts_mesh *mesh,
                                 uint32_t leaf_items) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = allocate(out, arena, mesh->triangle_count, leaf_items);
  if (status != TS_OK) {
    ts_arena_rewind(arena, mark);
    return status;
  }
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    ts_aabb box = ts_aabb_empty();
    for (int i = 0; i < 3; i++)
      box = ts_aabb_add(box, mesh->vertices[mesh->triangles[t][i]]);
    (*out)->boxes[t] = box;
  }
  build(*out);
  return TS_OK;
}

ts_status ts_bvh_create_for_mesh(ts_bvh **out, ts_arena *arena, const ts_mesh *mesh) {
  return create_for_mesh(out, arena, mesh, LEAF_ITEMS);
}

ts_status ts_bvh_create_for_blocks(ts_bvh **out, ts_arena *arena, const ts_mesh *mesh) {
  return create_for_mesh(out, arena, mesh, LEAF_MOST);
}

const uint32_t *ts_bvh_items(const ts_bvh *bvh) {
  return bvh->items;
}

ts_aabb ts_bvh_bounds(const ts_bvh *bvh) {
  return bvh->bounds;
}

/// Whether to open the second node of a pair rather than the first: never a leaf while there is
/// another, else the one with the larger box.
static bool opens_second(const node *a, const node *b) {
  if (a->count || b->count)
    return a->count != 0;
  return half_area(box_of(b)) > half_area(box_of(a));
}

/// A box of one hierarchy in both frames, that of its own hierarchy and that of the other: its
/// centre, and how far it reaches from there along the axes.
typedef struct seen_box {
  double centre[2][3], half[2][3]; ///< in the frame of a, of b
} seen_box;

/// Two trees under tandem traversal; of the visitors, one is there.
typedef struct tandem {
  const ts_bvh *a, *b;
  double rotation[3][3], absolute[3][3]; ///< Rows of the matrix b to a, and their magnitudes.
  double translation[3];                 ///< of b in a
  double margin_m;
  ts_bvh_visit visit;
  ts_bvh_visit_blocks visit_blocks;
  void *context;
} tandem;

static double largest_coordinate(ts_aabb box) {
  ts_vec3 far = ts_vec3_max(ts_vec3_neg(box.low), box.high);
  return fmax(fabs(far.x), fmax(fabs(far.y), fabs(far.z)));
}

static tandem tandem_create(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a, double margin_m) {
  ts_vec3 column[3] = {ts_quat_rotate(b_to_a.rotation, (ts_vec3){1, 0, 0}),
                       ts_quat_rotate(b_to_a.rotation, (ts_vec3){0, 1, 0}),
                       ts_quat_rotate(b_to_a.rotation, (ts_vec3){0, 0, 1})};
  tandem t = {.a = a,
              .b = b,
              .translation = {b_to_a.translation.x, b_to_a.translation.y, b_to_a.translation.z},
              .margin_m = margin_m + TS_BOX_ROUNDING * (largest_coordinate(a->bounds) +
                                                        largest_coordinate(b->bounds) +
                                                        ts_vec3_norm(b_to_a.translation))};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      t.rotation[i][k] = component(column[k], i);
      t.absolute[i][k] = fabs(t.rotation[i][k]);
    }
  return t;
}

static void see_own(seen_box *out, int frame, ts_aabb box) {
  const double low[3] = {box.low.x, box.low.y, box.low.z};
  const double high[3] = {box.high.x, box.high.y, box.high.z};
  for (int i = 0; i < 3; i++) {
    out->centre[frame][i] = 0.5 * (low[i] + high[i]);
    out->half[frame][i] = 0.5 * (high[i] - low[i]);
  }
}

/// A box of a, seen from b too.
static void see_a(seen_box *out, const tandem *t, ts_aabb box) {
  see_own(out, 0, box);
  const double *c = out->centre[0], *h = out->half[0];
  const double from_b[3] = {c[0] - t->translation[0], c[1] - t->translation[1],
                            c[2] - t->translation[2]};
  for (int k = 0; k < 3; k++) {
    out->centre[1][k] = t->rotation[0][k] * from_b[0] + t->rotation[1][k] * from_b[1] +
                        t->rotation[2][k] * from_b[2];
    out->half[1][k] =
        t->absolute[0][k] * h[0] + t->absolute[1][k] * h[1] + t->absolute[2][k] * h[2];
  }
}

/// A box of b, seen from a too.
static void see_b(seen_box *out, const tandem *t, ts_aabb box) {
  see_own(out, 1, box);
  const double *c = out->centre[1], *h = out->half[1];
  for (int i = 0; i < 3; i++) {
    const double *r = t->rotation[i], *abs = t->absolute[i];
    out->centre[0][i] = r[0] * c[0] + r[1] * c[1] + r[2] * c[2] + t->translation[i];
    out->half[0][i] = abs[0] * h[0] + abs[1] * h[1] + abs[2] * h[2];
  }
}

/// Not separated along the face axes of either box. Written so that a sum that overflows separates
/// nothing.
static bool is_close(const tandem *t, const seen_box *a, const seen_box *b) {
  for (int frame = 0; frame < 2; frame++)
    for (int i = 0; i < 3; i++)
      if (fabs(a->centre[frame][i] - b->centre[frame][i]) >
          a->half[frame][i] + b->half[frame][i] + t->margin_m)
        return false;
  return true;
}

/// A node under traversal, with its box.
typedef struct seen_node {
  const node *of;
  seen_box box;
} seen_node;

/// Most leaves touch with a corner: items are held against the whole of the other leaf first.
static ts_status visit_leaves(const tandem *t, const seen_node *leaf_a, const seen_node *leaf_b) {
  seen_box seen[LEAF_MOST], own;
  uint32_t near[LEAF_MOST], near_count = 0;
  for (uint32_t k = leaf_b->of->first; k < leaf_b->of->first + leaf_b->of->count; k++) {
    see_b(&seen[near_count], t, t->b->boxes[k]);
    if (is_close(t, &leaf_a->box, &seen[near_count]))
      near[near_count++] = k;
  }
  for (uint32_t i = 0; i < leaf_a->of->count && near_count; i++) {
    uint32_t item = leaf_a->of->first + i;
    see_a(&own, t, t->a->boxes[item]);
    for (uint32_t k = 0; k < near_count; k++)
      if (is_close(t, &own, &seen[k]))
        TS_TRY(t->visit(t->context, t->a->items[item], t->b->items[near[k]]));
  }
  return TS_OK;
}

static ts_bvh_block block_of(const ts_bvh *bvh, const node *leaf) {
  return (ts_bvh_block){(uint32_t)(leaf - bvh->nodes), leaf->first, leaf->count,
                        bvh->items + leaf->first};
}

/// Two nodes whose boxes are close. Goes as deep as both trees together.
static ts_status descend(const tandem *t, const seen_node *a, const seen_node *b) {
  if (a->of->count && b->of->count)
    return t->visit ? visit_leaves(t, a, b)
                    : t->visit_blocks(t->context, block_of(t->a, a->of), block_of(t->b, b->of));
  bool second = opens_second(a->of, b->of);
  for (uint32_t child = 0; child < 2; child++) {
    seen_node next;
    if (second) {
      next.of = &t->b->nodes[b->of->first + child];
      see_b(&next.box, t, box_of(next.of));
      if (is_close(t, &a->box, &next.box))
        TS_TRY(descend(t, a, &next));
    } else {
      next.of = &t->a->nodes[a->of->first + child];
      see_a(&next.box, t, box_of(next.of));
      if (is_close(t, &next.box, &b->box))
        TS_TRY(descend(t, &next, b));
    }
  }
  return TS_OK;
}

static ts_status descend_from_roots(const tandem *t) {
  seen_node root_a = {.of = t->a->nodes}, root_b = {.of = t->b->nodes};
  see_a(&root_a.box, t, t->a->bounds);
  see_b(&root_b.box, t, t->b->bounds);
  return is_close(t, &root_a.box, &root_b.box) ? descend(t, &root_a, &root_b) : TS_OK;
}

ts_status ts_bvh_tandem(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a, double margin_m,
                        ts_bvh_visit visit, void *context) {
  if (!a->node_count || !b->node_count)
    return TS_OK;
  tandem t = tandem_create(a, b, b_to_a, margin_m);
  t.visit = visit;
  t.context = context;
  return descend_from_roots(&t);
}

ts_status ts_bvh_tandem_blocks(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a, double margin_m,
                               ts_bvh_visit_blocks visit, void *context) {
  if (!a->node_count || !b->node_count)
    return TS_OK;
  tandem t = tandem_create(a, b, b_to_a, margin_m);
  t.visit_blocks = visit;
  t.context = context;
  return descend_from_roots(&t);
}

/// How far two boxes are apart at least, squared.
static double apart2(const seen_box *a, const seen_box *b) {
  double most = 0;
  for (int frame = 0; frame < 2; frame++) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      double gap =
          fabs(a->centre[frame][i] - b->centre[frame][i]) - a->half[frame][i] - b->half[frame][i];
      sum += gap > 0 ? gap * gap : 0;
    }
    most = ts_max(most, sum);
  }
  return most;
}

/// Written so that a distance that overflows is not too far for an infinite reach.
static bool is_within(const tandem *t, double distance2, const double *reach_m) {
  double limit = *reach_m + t->margin_m;
  return !(distance2 > limit * limit);
}

static ts_status visit_nearest_leaves(const tandem *t, const seen_node *leaf_a,
                                      const seen_node *leaf_b, const double *reach_m) {
  for (uint32_t i = leaf_a->of->first; i < leaf_a->of->first + leaf_a->of->count; i++) {
    seen_box seen_a, seen_b;
    see_a(&seen_a, t, t->a->boxes[i]);
    if (!is_within(t, apart2(&seen_a, &leaf_b->box), reach_m))
      continue;
    for (uint32_t k = leaf_b->of->first; k < leaf_b->of->first + leaf_b->of->count; k++) {
      see_b(&seen_b, t, t->b->boxes[k]);
      if (is_within(t, apart2(&seen_a, &seen_b), reach_m))
        TS_TRY(t->visit(t->context, t->a->items[i], t->b->items[k]));
    }
  }
  return TS_OK;
}

/// As descend(), the nearer child first.
static ts_status descend_nearest(const tandem *t, const seen_node *a, const seen_node *b,
                                 const double *reach_m) {
  if (a->of->count && b->of->count)
    return visit_nearest_leaves(t, a, b, reach_m);
  bool second = opens_second(a->of, b->of);
  seen_node children[2];
  double distance2[2];
  for (uint32_t i = 0; i < 2; i++) {
    const node *first = second ? &t->b->nodes[b->of->first] : &t->a->nodes[a->of->first];
    children[i].of = first + i;
    if (second)
      see_b(&children[i].box, t, box_of(children[i].of));
    else
      see_a(&children[i].box, t, box_of(children[i].of));
    distance2[i] = apart2(&children[i].box, second ? &a->box : &b->box);
  }
  int nearer = distance2[1] < distance2[0];
  for (int i = 0; i < 2; i++) {
    int child = i ? 1 - nearer : nearer;
    if (is_within(t, distance2[child], reach_m))
      TS_TRY(descend_nearest(t, second ? a : &children[child], second ? &children[child] : b,
                             reach_m));
  }
  return TS_OK;
}

ts_status ts_bvh_tandem_nearest(const ts_bvh *a, const ts_bvh *b, ts_pose b_to_a,
                                const double *reach_m, ts_bvh_visit visit, void *context) {
  if (!a->node_count || !b->node_count)
    return TS_OK;
  tandem t = tandem_create(a, b, b_to_a, 0);
  t.visit = visit;
  t.context = context;
  seen_node root_a = {.of = a->nodes}, root_b = {.of = b->nodes};
  see_a(&root_a.box, &t, a->bounds);
  see_b(&root_b.box, &t, b->bounds);
  return is_within(&t, apart2(&root_a.box, &root_b.box), reach_m)
             ? descend_nearest(&t, &root_a, &root_b, reach_m)
             : TS_OK;
}

/// A hierarchy of one point, with what it points to.
typedef struct lone_point {
  ts_bvh bvh;
  node root;
  ts_aabb box;
  uint32_t item;
} lone_point;

static void lone_point_set(lone_point *out, ts_vec3 point) {
  *out = (lone_point){.root = {.count = 1}, .box = {point, point}};
  set_box(&out->root, out->box);
  out->bvh = (ts_bvh){.node_count = 1,
                      .item_count = 1,
                      .nodes = &out->root,
                      .bounds = out->box,
                      .boxes = &out->box,
                      .items = &out->item};
}

ts_status ts_bvh_near(const ts_bvh *bvh, ts_vec3 point, double margin_m, ts_bvh_visit visit,
                      void *context) {
  if (!ts_vec3_is_finite(point))
    return TS_OK;
  lone_point alone;
  lone_point_set(&alone, point);
  return ts_bvh_tandem(bvh, &alone.bvh, ts_pose_identity(), margin_m, visit, context);
}

ts_status ts_bvh_nearest(const ts_bvh *bvh, ts_vec3 point, const double *reach_m,
                         ts_bvh_visit visit, void *context) {
  if (!ts_vec3_is_finite(point))
    return TS_OK;
  lone_point alone;
  lone_point_set(&alone, point);
  return ts_bvh_tandem_nearest(bvh, &alone.bvh, ts_pose_identity(), reach_m, visit, context);
}

/// A way through a hierarchy.
typedef struct way {
  double from[3], per_axis[3]; ///< what it takes to get a metre along each axis, maybe infinite
  double margin_m;
} way;

/// How far along the way a box begins; infinite where the way passes it. Written so that an axis
/// that the way is square to leaves out the boxes beside it and says nothing about the others.
static double way_to(const way *w, ts_aabb box) {
  const double low[3] = {box.low.x, box.low.y, box.low.z};
  const double high[3] = {box.high.x, box.high.y, box.high.z};
  double begin = 0, end = INFINITY;
  for (int i = 0; i < 3; i++) {
    double to_low = low[i] - w->margin_m - w->from[i], to_high = high[i] + w->margin_m - w->from[i];
    if (isinf(w->per_axis[i])) {
      if (to_low > 0 || to_high < 0)
        return INFINITY;
      continue;
    }
    double first = to_low * w->per_axis[i], last = to_high * w->per_axis[i];
    begin = ts_max(begin, ts_min(first, last));
    end = ts_min(end, ts_max(first, last));
  }
  return begin <= end ? begin : (double)INFINITY;
}

/// A node that waits, and where on the way its box begins.
typedef struct waiting_node {
  uint32_t index;
  double at_m;
} waiting_node;

static ts_status visit_along(const ts_bvh *bvh, const way *w, const double *reach_m,
                             ts_bvh_visit visit, void *context) {
  waiting_node stack[MAX_DEPTH + 2];
  size_t waiting = 0;
  stack[waiting++] = (waiting_node){0, way_to(w, bvh->bounds)};
  while (waiting) {
    waiting_node next = stack[--waiting];
    if (!(next.at_m <= *reach_m + w->margin_m) || isinf(next.at_m))
      continue;
    const node *n = &bvh->nodes[next.index];
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
      double at_m = way_to(w, bvh->boxes[i]);
      if (at_m <= *reach_m + w->margin_m && !isinf(at_m))
        TS_TRY(visit(context, bvh->items[i], 0));
    }
    if (n->count)
      continue;
    waiting_node near = {n->first, way_to(w, box_of(&bvh->nodes[n->first]))};
    waiting_node far = {n->first + 1, way_to(w, box_of(&bvh->nodes[n->first + 1]))};
    bool swapped = far.at_m < near.at_m;
    stack[waiting++] = swapped ? near : far;
    stack[waiting++] = swapped ? far : near;
  }
  return TS_OK;
}

ts_status ts_bvh_along(const ts_bvh *bvh, ts_vec3 from, ts_vec3 direction, const double *reach_m,
                       ts_bvh_visit visit, void *context) {
  if (!bvh->node_count || !ts_vec3_is_finite(from) || !ts_vec3_is_finite(direction))
    return TS_OK;
  const way w = {.from = {from.x, from.y, from.z},
                 .per_axis = {1 / direction.x, 1 / direction.y, 1 / direction.z},
                 .margin_m = TS_BOX_ROUNDING * (largest_coordinate(bvh->bounds) +
                                                largest_coordinate((ts_aabb){from, from}))};
  return visit_along(bvh, &w, reach_m, visit, context);
}

static int comes_within(ts_aabb a, ts_aabb b, double margin_m) {
  return a.low.x - b.high.x <= margin_m && b.low.x - a.high.x <= margin_m &&
         a.low.y - b.high.y <= margin_m && b.low.y - a.high.y <= margin_m &&
         a.low.z - b.high.z <= margin_m && b.low.z - a.high.z <= margin_m;
}

static ts_status visit_ordered(const ts_bvh *bvh, uint32_t i, uint32_t k, double margin_m,
                               ts_bvh_visit visit, void *context) {
  if (!comes_within(bvh->boxes[i], bvh->boxes[k], margin_m))
    return TS_OK;
  uint32_t a = bvh->items[i], b = bvh->items[k];
  return a < b ? visit(context, a, b) : visit(context, b, a);
}

/// A pair of nodes whose boxes are close.
typedef struct node_pair {
  uint32_t a, b;
} node_pair;

/// Pairs of items of two leaves, or of one leaf with itself.
static ts_status visit_own_leaves(const ts_bvh *bvh, const node *a, const node *b, double margin_m,
                                  ts_bvh_visit visit, void *context) {
  for (uint32_t i = a->first; i < a->first + a->count; i++)
    for (uint32_t k = a == b ? i + 1 : b->first; k < b->first + b->count; k++)
      TS_TRY(visit_ordered(bvh, i, k, margin_m, visit, context));
  return TS_OK;
}

ts_status ts_bvh_self(const ts_bvh *bvh, double margin_m, ts_bvh_visit visit, void *context) {
  if (!bvh->node_count)
    return TS_OK;
  // A node against itself leaves two pairs more than before, two nodes leave one; a path opens each
  // level against itself, then each level of both children.
  node_pair stack[4 * MAX_DEPTH + 4];
  size_t waiting = 0;
  stack[waiting++] = (node_pair){0, 0};
  while (waiting) {
    node_pair pair = stack[--waiting];
    const node *a = &bvh->nodes[pair.a], *b = &bvh->nodes[pair.b];
    if (a != b && !comes_within(box_of(a), box_of(b), margin_m))
      continue;
    if (a->count && b->count) {
      TS_TRY(visit_own_leaves(bvh, a, b, margin_m, visit, context));
    } else if (a == b) {
      stack[waiting++] = (node_pair){a->first, a->first + 1};
      stack[waiting++] = (node_pair){a->first + 1, a->first + 1};
      stack[waiting++] = (node_pair){a->first, a->first};
    } else if (opens_second(a, b)) {
      stack[waiting++] = (node_pair){pair.a, b->first + 1};
      stack[waiting++] = (node_pair){pair.a, b->first};
    } else {
      stack[waiting++] = (node_pair){a->first + 1, pair.b};
      stack[waiting++] = (node_pair){a->first, pair.b};
    }
  }
  return TS_OK;
}
