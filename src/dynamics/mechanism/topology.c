// Which bodies hang together, and what holds them.
//
// Bodies that can be moved belong together if a joint, a spring or a coupling connects them; one that cannot be moved
// connects nobody. Mechanisms, their bodies and their elements are numbered in the order of the tables of joints, springs
// and couplings: the same state gives the same mechanisms, whatever happened before.
#include <string.h>

#include "core/colouring.h"
#include "core/threads.h"
#include "dynamics/mechanism/mechanism_parts.h"
#include "dynamics/world.h"

typedef enum member_kind { MEMBER_JOINT, MEMBER_SPRING, MEMBER_COUPLING } member_kind;
typedef struct member {
    member_kind kind;
    int32_t part;
    int64_t source;
} member;

// While mechanisms are made; all in the world's scratch.
typedef struct building {
    scr_world *world;
    mechanisms *all;
    int32_t *joined_of;      // (body count) entry in `slot`, -1: not joined
    int32_t *slot;           // (joined_count) bodies that can be moved, in the order in which they are met
    int32_t *parent;         // (joined_count) of the sets of bodies that belong together
    int32_t *part;           // (joined_count)
    int32_t *number;         // (joined_count) in its mechanism
    int64_t joined_count;
    member *member, *sorted;
    int64_t member_count;
} building;

static int32_t root_of(const building *b, int32_t i)
{
    while (b->parent[i] != i) i = b->parent[i] = b->parent[b->parent[i]];
    return i;
}

// Note a body of a joint; its entry, or -1 if it cannot be moved.
static int32_t join_body(building *b, scr_body body)
{
    int64_t slot = body_slot(&b->world->bodies, body);
    if (slot < 0 || b->world->bodies.inv_mass[slot] == 0.0) return -1;
    if (b->joined_of[slot] < 0) {
        int32_t entry = (int32_t)b->joined_count++;
        b->joined_of[slot] = entry;
        b->slot[entry] = (int32_t)slot;
        b->parent[entry] = entry;
    }
    return b->joined_of[slot];
}

// The earlier of the two becomes the root.
static int32_t unite(building *b, int32_t i, int32_t j)
{
    if (i < 0 || j < 0) return i < 0 ? j : i;
    int32_t r = root_of(b, i), s = root_of(b, j), first = r < s ? r : s;
    b->parent[r] = b->parent[s] = first;
    return first;
}

static int32_t unite_bodies(building *b, scr_body one, scr_body other)
{
    int32_t i = join_body(b, one);
    return unite(b, i, join_body(b, other));
}

static int32_t unite_joint(building *b, scr_joint joint)
{
    const joints *j = &b->all->joints;
    int64_t i = joint_slot(j, joint);
    return i >= 0 && joint_holds(j, i) ? unite_bodies(b, j->a[i], j->b[i]) : -1;
}

// The body that stands for a member's mechanism, or -1 if it holds nothing: its joint is broken, or nobody can be moved.
static int32_t unite_member(building *b, member_kind kind, int64_t i)
{
    const springs *s = &b->all->springs;
    const couplings *c = &b->all->couplings;
    if (kind == MEMBER_JOINT) return joint_holds(&b->all->joints, i) ? unite_bodies(b, b->all->joints.a[i], b->all->joints.b[i]) : -1;
    if (kind == MEMBER_SPRING) {
        if (s->generation[i] % 2 == 0) return -1;
        return s->joint[i].index1 != 0 ? unite_joint(b, s->joint[i]) : unite_bodies(b, s->a[i], s->b[i]);
    }
    if (c->generation[i] % 2 == 0) return -1;
    int32_t all = -1;
    for (int k = 0; k < c->count[i]; ++k) {
        int64_t slot = joint_slot(&b->all->joints, c->joint[COUPLED_MAX * i + k]);
        if (slot < 0 || !joint_holds(&b->all->joints, slot)) return -1;
        all = unite(b, all, unite_joint(b, c->joint[COUPLED_MAX * i + k]));
    }
    return all;
}

// What a joint, or the spring on it, carried before it broke is gone.
static void clear_broken(mechanisms *all)
{
    joints *j = &all->joints;
    springs *s = &all->springs;
    for (int64_t i = 0; i < j->table.count; ++i) {
        if (!j->is_broken[i]) continue;
        for (int axis = 0; axis < 3; ++axis) j->force[3 * i + axis] = j->torque[3 * i + axis] = 0.0;
        j->motor_force[i] = j->load[i] = 0.0;
    }
    for (int64_t i = 0; i < s->table.count; ++i) {
        int64_t joint = joint_slot(j, s->joint[i]);
        if (joint >= 0 && j->is_broken[joint]) s->force[i] = 0.0;
    }
}

static void collect_members(building *b)
{
    const int64_t counts[] = {b->all->joints.table.count, b->all->springs.table.count, b->all->couplings.table.count};
    for (int kind = MEMBER_JOINT; kind <= MEMBER_COUPLING; ++kind) {
        for (int64_t i = 0; i < counts[kind]; ++i) {
            int32_t body = unite_member(b, (member_kind)kind, i);
            if (body >= 0) b->member[b->member_count++] = (member){(member_kind)kind, body, i};
        }
    }
}

// Number the mechanisms by their first bodies, the bodies in each, and sort the members by mechanism. Returns how many.
static int64_t number_parts(building *b, int64_t *first_member)
{
    int64_t parts = 0;
    for (int32_t i = 0; i < b->joined_count; ++i) {
        int32_t root = root_of(b, i);
        b->part[i] = root == i ? (int32_t)parts++ : b->part[root];  // a root comes before all others
    }
    memset(first_member, 0, (size_t)(parts + 1) * sizeof *first_member);
    for (int64_t k = 0; k < b->member_count; ++k) {
        b->member[k].part = b->part[b->member[k].part];
        ++first_member[b->member[k].part + 1];
    }
    for (int64_t p = 0; p < parts; ++p) first_member[p + 1] += first_member[p];
    for (int64_t k = 0; k < b->member_count; ++k) b->sorted[first_member[b->member[k].part]++] = b->member[k];
    for (int64_t p = parts; p > 0; --p) first_member[p] = first_member[p - 1];
    first_member[0] = 0;
    return parts;
}

// Elements of a joint, in this order.
static int joint_elements(const joints *j, int64_t i, element_kind kinds[4])
{
    int count = 0;
    scr_joint_kind kind = (scr_joint_kind)j->kind[i];
    bool is_actuator = kind == SCR_JOINT_DISTANCE && joint_has_motor(j, i);
    if (kind == SCR_JOINT_BUSHING) kinds[count++] = ELEMENT_BUSHING;
    if (joint_row_count(kind) > 0 && !is_actuator) kinds[count++] = ELEMENT_JOINT;
    if (joint_has_motor(j, i)) kinds[count++] = ELEMENT_MOTOR;
    if (isfinite(j->lower[i]) || isfinite(j->upper[i])) kinds[count++] = ELEMENT_LIMIT;
    if (j->friction[i] > 0.0 || j->friction_force[i] > 0.0) kinds[count++] = ELEMENT_FRICTION;
    return count;
}

static int element_rows(element_kind kind, scr_joint_kind joint)
{
    return kind == ELEMENT_JOINT ? joint_row_count(joint) : kind == ELEMENT_BUSHING ? 6 : 1;
}

// The number of a joint's geometry in its mechanism: joints are listed there in the order of their table.
static int64_t geometry_of(const int64_t *source, int64_t joint_count, int64_t joint)
{
    int64_t low = 0, high = joint_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (source[middle] < joint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How much a mechanism needs.
static void count_part(const building *b, mechanism *m, const member *first, const member *last)
{
    const joints *j = &b->all->joints;
    for (const member *k = first; k < last; ++k) {
        element_kind kinds[4];
        if (k->kind == MEMBER_JOINT) {
            int count = joint_elements(j, k->source, kinds);
            for (int e = 0; e < count; ++e) m->row_count += element_rows(kinds[e], (scr_joint_kind)j->kind[k->source]);
            m->element_count += count;
            m->arm_count += 2 * count;
            m->place_count += 2;  // at most so many that cannot be moved
            ++m->geometry_count;
        } else {
            bool is_line = k->kind == MEMBER_SPRING && b->all->springs.joint[k->source].index1 == 0;
            ++m->element_count;
            ++m->row_count;
            m->arm_count += k->kind == MEMBER_COUPLING ? 2 * b->all->couplings.count[k->source] : 2;
            m->geometry_count += is_line;
            m->place_count += is_line ? 2 : 0;
        }
    }
}

// Take all arrays of a mechanism from the arena, or only say how many bytes they need.
static size_t place_arrays(mechanism *m, scr_arena *arena)
{
    const struct {
        void *array;
        size_t size;
        int64_t count;
    } list[] = {
        {&m->body, sizeof *m->body, m->place_count},
        {&m->slot, sizeof *m->slot, m->place_count},
        {&m->geometry, sizeof *m->geometry, m->geometry_count},
        {&m->element, sizeof *m->element, m->element_count},
        {&m->start.block, sizeof *m->start.block, m->element_count},
        {&m->start.arm, sizeof *m->start.arm, m->arm_count},
        {&m->start.inertia, sizeof *m->start.inertia, m->body_count},
        {&m->start.at, sizeof *m->start.at, m->place_count},
        {&m->end.block, sizeof *m->end.block, m->element_count},
        {&m->end.arm, sizeof *m->end.arm, m->arm_count},
        {&m->end.inertia, sizeof *m->end.inertia, m->body_count},
        {&m->end.at, sizeof *m->end.at, m->place_count},
        {&m->velocity, 6 * sizeof(double), m->place_count},
        {&m->kick, 6 * sizeof(double), m->body_count},
        {&m->tension, 9 * sizeof(double), m->body_count},
        {&m->impulse, sizeof(double), m->row_count},
        {&m->late, sizeof(double), m->row_count},
        {&m->old_velocity, 6 * sizeof(double), m->place_count},
        {&m->old_impulse, sizeof(double), m->row_count},
        {&m->body_work, 6 * sizeof(double), m->body_count},
        {&m->row_work, sizeof(double), m->row_count},
    };
    size_t bytes = 0;
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        bytes += scr_arena_bytes(list[k].size, list[k].count);
        if (arena != NULL) *(void **)list[k].array = scr_arena_array(arena, list[k].size, list[k].count);
    }
    return bytes;
}

// The number in the mechanism of a body, added there if it cannot be moved and is met for the first time.
static int32_t place_number(const building *b, mechanism *m, scr_body body)
{
    if (body.index1 == 0) return NO_BODY;
    int64_t slot = body_slot(&b->world->bodies, body);
    if (b->joined_of[slot] >= 0) return b->number[b->joined_of[slot]];
    for (int32_t k = m->body_count; k < m->place_count; ++k)
        if (m->body[k].index1 == body.index1) return k;
    m->body[m->place_count] = body;
    return m->place_count++;
}

static joint_end end_at(const building *b, mechanism *m, scr_body body, pose frame)
{
    joint_end end = {place_number(b, m, body), frame};
    if (end.body != NO_BODY && end.body < m->body_count) m->size = fmax(m->size, vec3_norm(frame.at));
    return end;
}

static void add_element(const building *b, mechanism *m, element e, scr_joint_kind joint)
{
    row_block *block = &m->start.block[m->element_count];
    *block = (row_block){.row_count = element_rows(e.kind, joint), .arm_count = 2, .first_arm = m->arm_count, .first_row = m->row_count};
    joint_arm *arm = &m->start.arm[block->first_arm];
    int joined = e.kind == ELEMENT_COUPLING ? b->all->couplings.count[e.source] : 1;
    block->arm_count = 0;
    for (int g = 0; g < joined; ++g) {
        const joint_geometry *geometry = &m->geometry[e.geometry[g]];
        const int32_t ends[2] = {geometry->a.body, geometry->b.body};
        for (int side = 0; side < 2; ++side) {
            int k = 0;
            while (k < block->arm_count && arm[k].body != ends[side]) ++k;  // couplings may meet a body twice
            if (k == block->arm_count) arm[block->arm_count++].body = ends[side];
        }
    }
    m->element[m->element_count++] = e;
    m->arm_count += block->arm_count;
    m->row_count += block->row_count;
    if (e.kind == ELEMENT_MOTOR)
        m->is_plain = m->is_plain && joint_drive(&b->all->joints, e.source) != SCR_DRIVE_FORCE && !isfinite(b->all->joints.max_force[e.source]);
    else
        m->is_plain = m->is_plain && (e.kind == ELEMENT_JOINT || e.kind == ELEMENT_COUPLING);
}

static void add_joint(const building *b, mechanism *m, int64_t i)
{
    const joints *j = &b->all->joints;
    scr_joint_kind kind = (scr_joint_kind)j->kind[i];
    m->geometry[m->geometry_count] = (joint_geometry){
        .kind = kind,
        .a = end_at(b, m, j->a[i], pose_loaded(j->frame_a + POSE_WIDTH * i)),
        .b = end_at(b, m, j->b[i], pose_loaded(j->frame_b + POSE_WIDTH * i)),
        .length = j->length[i],
    };
    element_kind kinds[4];
    int count = joint_elements(j, i, kinds);
    m->is_redundant = m->is_redundant || j->redundant_rows[i] > 0;
    for (int k = 0; k < count; ++k) {
        scr_axis axis = kinds[k] == ELEMENT_MOTOR ? (scr_axis)j->motor_axis[i] : joint_usual_axis(kind, SCR_AXIS_USUAL);
        add_element(b, m, (element){.kind = kinds[k], .source = i, .axis = axis, .geometry = {m->geometry_count}}, kind);
    }
    ++m->geometry_count;
}

static void add_spring(const building *b, mechanism *m, int64_t i, const int64_t *source, int64_t joint_count)
{
    const springs *s = &b->all->springs;
    element e = {.kind = ELEMENT_SPRING, .source = i, .axis = (scr_axis)s->axis[i]};
    if (s->joint[i].index1 != 0) {
        e.geometry[0] = geometry_of(source, joint_count, joint_slot(&b->all->joints, s->joint[i]));
    } else {
        const double *pa = s->point_a + 3 * i, *pb = s->point_b + 3 * i;
        m->geometry[m->geometry_count] = (joint_geometry){
            .kind = SCR_JOINT_DISTANCE,
            .a = end_at(b, m, s->a[i], (pose){vec3(pa[0], pa[1], pa[2]), QUAT_IDENTITY}),
            .b = end_at(b, m, s->b[i], (pose){vec3(pb[0], pb[1], pb[2]), QUAT_IDENTITY}),
        };
        e.axis = SCR_ALONG;
        e.geometry[0] = m->geometry_count++;
    }
    add_element(b, m, e, SCR_JOINT_DISTANCE);
}

static void add_coupling(const building *b, mechanism *m, int64_t i, const int64_t *source, int64_t joint_count)
{
    const couplings *c = &b->all->couplings;
    element e = {.kind = ELEMENT_COUPLING, .source = i};
    for (int k = 0; k < c->count[i]; ++k)
        e.geometry[k] = geometry_of(source, joint_count, joint_slot(&b->all->joints, c->joint[COUPLED_MAX * i + k]));
    add_element(b, m, e, SCR_JOINT_DISTANCE);
}

// source: scratch, the joints of the mechanism's first geometries
static void fill_part(const building *b, mechanism *m, const member *first, const member *last, int64_t *source)
{
    m->element_count = m->geometry_count = m->row_count = m->arm_count = 0;
    m->place_count = m->body_count;
    m->is_plain = true;
    for (const member *k = first; k < last; ++k) {
        if (k->kind == MEMBER_JOINT) {
            source[m->geometry_count] = k->source;
            add_joint(b, m, k->source);
        }
    }
    int64_t joint_count = m->geometry_count;
    for (const member *k = first; k < last; ++k) {
        if (k->kind == MEMBER_SPRING) add_spring(b, m, k->source, source, joint_count);
        if (k->kind == MEMBER_COUPLING) add_coupling(b, m, k->source, source, joint_count);
    }
    if (m->size == 0.0) m->size = 1.0;
    memcpy(m->end.block, m->start.block, (size_t)m->element_count * sizeof *m->end.block);
    memcpy(m->end.arm, m->start.arm, (size_t)m->arm_count * sizeof *m->end.arm);
}

static scr_status make_parts(building *b, const int64_t *first_member, int64_t parts, int64_t *source, scr_error *error)
{
    mechanisms *all = b->all;
    scr_status status = scr_grow_anew(&all->part, &all->part_capacity, parts, sizeof *all->part, "mechanisms", error);
    if (status != SCR_OK) return status;
    if (parts > 0) memset(all->part, 0, (size_t)parts * sizeof *all->part);
    for (int64_t i = 0; i < b->joined_count; ++i) b->number[i] = all->part[b->part[i]].body_count++;
    size_t bytes = 0;
    for (int64_t p = 0; p < parts; ++p) {
        all->part[p].place_count = all->part[p].body_count;
        count_part(b, &all->part[p], b->sorted + first_member[p], b->sorted + first_member[p + 1]);
        bytes += place_arrays(&all->part[p], NULL);
    }
    status = scr_arena_reserve(&all->memory, bytes, "mechanisms", error);
    if (status != SCR_OK) return status;
    scr_arena arena = all->memory;
    for (int64_t p = 0; p < parts; ++p) place_arrays(&all->part[p], &arena);
    for (int64_t i = 0; i < b->joined_count; ++i) {
        mechanism *m = &all->part[b->part[i]];
        m->body[b->number[i]] = b->world->bodies.handle[b->slot[i]];
    }
    for (int64_t p = 0; p < parts; ++p) fill_part(b, &all->part[p], b->sorted + first_member[p], b->sorted + first_member[p + 1], source);
    all->part_count = parts;
    return SCR_OK;
}

static scr_status order_parts(mechanisms *all, scr_error *error)
{
    scr_status status = scr_grow(&all->kkt, &all->kkt_capacity, 2 * all->part_count, sizeof *all->kkt, "mechanisms", error);
    while (status == SCR_OK && all->kkt_count < 2 * all->part_count) {
        status = kkt_create(&all->kkt[all->kkt_count], error);
        if (status == SCR_OK) ++all->kkt_count;
    }
    int64_t work = 0;
    for (int64_t p = 0; p < all->part_count && status == SCR_OK; ++p) {
        mechanism *m = &all->part[p];
        kkt_equations e = equations_of(m, &m->start);
        m->start.kkt = all->kkt[2 * p];
        m->end.kkt = all->kkt[2 * p + 1];
        status = kkt_order(m->start.kkt, &e, error);
        if (status == SCR_OK) status = kkt_order(m->end.kkt, &e, error);
        if (status == SCR_OK) work += kkt_work_count(m->start.kkt);
    }
    if (status == SCR_OK) status = scr_grow_anew(&all->kkt_work, &all->kkt_work_capacity, work, sizeof *all->kkt_work, "mechanisms", error);
    work = 0;
    for (int64_t p = 0; p < all->part_count && status == SCR_OK; ++p) {
        all->part[p].kkt_work = all->kkt_work + work;
        work += kkt_work_count(all->part[p].start.kkt);
    }
    return status;
}

static scr_status rebuild(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    int64_t n = world->bodies.table.count, j = all->joints.table.count, s = all->springs.table.count, c = all->couplings.table.count;
    int64_t ends = 2 * (j + s), members = j + s + c;
    size_t bytes = scr_arena_bytes(sizeof(int32_t), n) + 4 * scr_arena_bytes(sizeof(int32_t), ends) +
                   2 * scr_arena_bytes(sizeof(member), members) + 2 * scr_arena_bytes(sizeof(int64_t), ends + 1);
    all->part_count = 0;
    scr_status status = scr_arena_reserve(&world->scratch, bytes, "mechanisms", error);
    if (status != SCR_OK) return status;
    scr_arena arena = world->scratch;
    building b = {
        .world = world,
        .all = all,
        .joined_of = scr_arena_array(&arena, sizeof(int32_t), n),
        .slot = scr_arena_array(&arena, sizeof(int32_t), ends),
        .parent = scr_arena_array(&arena, sizeof(int32_t), ends),
        .part = scr_arena_array(&arena, sizeof(int32_t), ends),
        .number = scr_arena_array(&arena, sizeof(int32_t), ends),
        .member = scr_arena_array(&arena, sizeof(member), members),
        .sorted = scr_arena_array(&arena, sizeof(member), members),
    };
    int64_t *first_member = scr_arena_array(&arena, sizeof *first_member, ends + 1);
    int64_t *source = scr_arena_array(&arena, sizeof *source, ends + 1);
    for (int64_t i = 0; i < n; ++i) b.joined_of[i] = -1;
    clear_broken(all);
    collect_members(&b);
    int64_t parts = number_parts(&b, first_member);
    status = make_parts(&b, first_member, parts, source, error);
    if (status == SCR_OK) status = order_parts(all, error);
    if (status != SCR_OK) {
        all->part_count = 0;
        return status;
    }
    for (int64_t i = 0; i < all->part_of_count; ++i) all->part_of[i] = NO_PART;
    all->is_changed = false;
    return SCR_OK;
}

// Bodies change places when they are sorted, and others come and go.
static scr_status find_bodies(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    int64_t n = world->bodies.table.count;
    const scr_column columns[] = {{&all->part_of, sizeof *all->part_of}, {&all->number_of, sizeof *all->number_of}};
    scr_status status = scr_grow_together(columns, 2, &all->part_of_capacity, n, "mechanisms", error);
    if (status != SCR_OK) return status;
    while (all->part_of_count < n) all->part_of[all->part_of_count++] = NO_PART;
    for (int64_t p = 0; p < all->part_count; ++p)
        for (int32_t k = 0; k < all->part[p].body_count; ++k)
            all->part_of[all->part[p].slot[k]] = NO_PART;
    for (int64_t p = 0; p < all->part_count; ++p) {
        mechanism *m = &all->part[p];
        for (int32_t k = 0; k < m->place_count; ++k) m->slot[k] = (int32_t)body_slot(&world->bodies, m->body[k]);
        for (int32_t k = 0; k < m->body_count; ++k) {
            all->part_of[m->slot[k]] = (int32_t)p;
            all->number_of[m->slot[k]] = k;
        }
    }
    return SCR_OK;
}

scr_status find_mechanisms(scr_world *world, scr_error *error)
{
    mechanisms *all = &world->mechanisms;
    if (all->is_changed) {
        scr_status status = rebuild(world, error);
        if (status != SCR_OK) return status;
        for (int64_t p = 0; p < all->part_count; ++p)
            for (int32_t k = 0; k < all->part[p].place_count; ++k) all->part[p].slot[k] = 0;
        for (int64_t p = 0; p < all->part_count; ++p) all->part[p].start.is_factored = all->part[p].end.is_factored = false;
    }
    return find_bodies(world, error);
}
