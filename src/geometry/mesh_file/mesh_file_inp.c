// SPDX-License-Identifier: BSD-3-Clause
// Abaqus input files: the surface of what *NODE and *ELEMENT describe.
//
// A line that begins with * is a keyword with parameters, in any case; ** is a comment; other lines are data of the
// keyword before. An element that is not complete at the end of a line goes on in the next. Shells, membranes and rigid
// elements are faces themselves; of solid elements the faces that only one element has. Elements of second order are
// taken by their corners. All other elements (beams, springs, masses) have no surface and are passed over.
// Nodes are numbered by part and may come after the elements that use them, so a part is put together when it ends.
// Parts are taken where they are: an instance that moves its part is refused, not misplaced.
#include <ctype.h>
#include <string.h>

#include "core/arrays/radix_sort.h"
#include "geometry/mesh_file/mesh_file_parts.h"

enum { FACES_MAX = 6, CORNERS_MAX = 8, NO_NODE = -1, WORD_MAX = 16 };

// Corners of the faces of a solid, counter-clockwise seen from outside; -1 where a face has three.
typedef struct solid_faces {
    int count;
    int8_t corner[FACES_MAX][4];
} solid_faces;

static const solid_faces TETRAHEDRON = {4, {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}}};
static const solid_faces PYRAMID = {5, {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}};
static const solid_faces WEDGE = {5, {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}};
static const solid_faces BRICK = {6,
                                  {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

typedef struct element_type {
    const char *name;  // further letters may follow: C3D8R
    int node_count;    // with those between the corners
    int corner_count;
    const solid_faces *faces;  // NULL: a shell, which is its own face
} element_type;

static const element_type types[] = {
    {"S3", 3, 3, NULL},           {"S4", 4, 4, NULL},
    {"S6", 6, 3, NULL},           {"S8", 8, 4, NULL},
    {"STRI3", 3, 3, NULL},        {"STRI65", 6, 3, NULL},
    {"R3D3", 3, 3, NULL},         {"R3D4", 4, 4, NULL},
    {"M3D3", 3, 3, NULL},         {"M3D4", 4, 4, NULL},
    {"SFM3D3", 3, 3, NULL},       {"SFM3D4", 4, 4, NULL},
    {"C3D4", 4, 4, &TETRAHEDRON}, {"C3D10", 10, 4, &TETRAHEDRON},
    {"C3D5", 5, 5, &PYRAMID},     {"C3D6", 6, 6, &WEDGE},
    {"C3D15", 15, 6, &WEDGE},     {"C3D8", 8, 8, &BRICK},
    {"C3D20", 20, 8, &BRICK},
};

typedef struct element {
    const element_type *type;
    int64_t line;
    int32_t corner[CORNERS_MAX];  // numbers of nodes
} element;

typedef struct solid_face {
    int32_t corner[4];  // vertices, as seen from outside; the last -1 where there are three
    int32_t sorted[4];  // the same in ascending order
    int64_t line;
} solid_face;

// The part being read.
typedef struct part {
    int32_t *node;  // numbers, one a vertex
    int64_t node_count, node_capacity, first_vertex;
    element *element;
    int64_t element_count, element_capacity;
    int32_t *slot;  // hash table: numbers of nodes to vertices
    int64_t slot_capacity, slot_mask;
    solid_face *face;
    int64_t face_count, face_capacity;
    scr_arena scratch;
} part;

typedef enum reading { NOTHING, NODES, ELEMENTS, INSTANCE } reading;

typedef struct inp_reader {
    mesh_source *s;
    part part;
    reading now;
    const element_type *type;
} inp_reader;

static uint64_t mixed(uint64_t v)
{
    v = (v ^ (v >> 31)) * 0x9e3779b97f4a7c15u;
    return v ^ (v >> 32);
}

static scr_status index_nodes(inp_reader *r)
{
    part *p = &r->part;
    int64_t slots = 16;
    while (slots < 2 * p->node_count) slots *= 2;
    scr_status status = scr_grow_anew(&p->slot, &p->slot_capacity, slots, sizeof *p->slot, "nodes", r->s->error);
    if (status != SCR_OK) return status;
    memset(p->slot, -1, (size_t)slots * sizeof *p->slot);
    p->slot_mask = slots - 1;
    for (int64_t k = 0; k < p->node_count; ++k) {
        uint64_t at = mixed((uint64_t)p->node[k]) & (uint64_t)p->slot_mask;
        while (p->slot[at] >= 0 && p->node[p->slot[at]] != p->node[k]) at = (at + 1) & (uint64_t)p->slot_mask;
        p->slot[at] = (int32_t)k;  // of nodes given twice the last one counts
    }
    return SCR_OK;
}

static int32_t vertex_of(const part *p, int32_t node)
{
    uint64_t at = mixed((uint64_t)node) & (uint64_t)p->slot_mask;
    while (p->slot[at] >= 0 && p->node[p->slot[at]] != node) at = (at + 1) & (uint64_t)p->slot_mask;
    return p->slot[at] < 0 ? NO_NODE : (int32_t)(p->first_vertex + p->slot[at]);
}

static void sort_corners(solid_face *f)
{
    memcpy(f->sorted, f->corner, sizeof f->sorted);
    for (int k = 1; k < 4; ++k)
        for (int m = k; m > 0 && f->sorted[m - 1] > f->sorted[m]; --m) {
            int32_t v = f->sorted[m];
            f->sorted[m] = f->sorted[m - 1];
            f->sorted[m - 1] = v;
        }
}

static scr_status add_faces(inp_reader *r, const element *e, const int32_t *vertex)
{
    part *p = &r->part;
    scr_status status = SCR_OK;
    if (p->face_count + FACES_MAX > p->face_capacity)
        status = scr_grow(&p->face, &p->face_capacity, p->face_count + FACES_MAX, sizeof *p->face, "faces of elements",
                          r->s->error);
    if (status != SCR_OK) return status;
    for (int f = 0; f < e->type->faces->count; ++f) {
        solid_face *face = &p->face[p->face_count++];
        face->line = e->line;
        const int8_t *corner = e->type->faces->corner[f];
        for (int c = 0; c < 4; ++c) face->corner[c] = corner[c] < 0 ? NO_NODE : vertex[corner[c]];
        sort_corners(face);
    }
    return SCR_OK;
}

static scr_status add_element(inp_reader *r, const element *e)
{
    int32_t vertex[CORNERS_MAX];
    for (int c = 0; c < e->type->corner_count; ++c) {
        vertex[c] = vertex_of(&r->part, e->corner[c]);
        if (vertex[c] == NO_NODE) return source_fail(r->s, e->line, "node %d is not defined", e->corner[c]);
    }
    r->s->line = e->line;
    return e->type->faces != NULL ? add_faces(r, e, vertex) : soup_add_polygon(r->s, vertex, e->type->corner_count);
}

static bool same_face(const solid_face *a, const solid_face *b)
{
    return memcmp(a->sorted, b->sorted, sizeof a->sorted) == 0;
}

// Among faces with one hash: is face k the only one of its kind?
static bool is_alone(const solid_face *face, const uint32_t *group, int64_t count, int64_t k)
{
    for (int64_t m = 0; m < count; ++m)
        if (m != k && same_face(&face[group[m]], &face[group[k]])) return false;
    return true;
}

// The faces of solid elements that are not shared, in the order of the file.
static scr_status add_outer_faces(inp_reader *r)
{
    part *p = &r->part;
    int64_t n = p->face_count;
    if (n == 0) return SCR_OK;
    size_t bytes = scr_arena_bytes(sizeof(uint64_t), n) + scr_arena_bytes(sizeof(uint32_t), n) + scr_arena_bytes(1, n) +
                   scr_radix_sort_bytes(n);
    scr_status status = scr_arena_reserve(&p->scratch, bytes, "faces of elements", r->s->error);
    if (status != SCR_OK) return status;
    scr_arena arena = p->scratch;
    uint64_t *key = scr_arena_array(&arena, sizeof *key, n);
    uint32_t *from = scr_arena_array(&arena, sizeof *from, n);
    uint8_t *outer = scr_arena_array(&arena, 1, n);
    for (int64_t k = 0; k < n; ++k) {
        key[k] = 0;
        for (int c = 0; c < 4; ++c) key[k] = mixed(key[k] ^ (uint32_t)p->face[k].sorted[c]);
        from[k] = (uint32_t)k;
    }
    scr_radix_sort(key, from, n, 64, arena, 1);
    for (int64_t first = 0, last; first < n; first = last) {
        for (last = first + 1; last < n && key[last] == key[first];) ++last;
        for (int64_t k = first; k < last; ++k)
            outer[from[k]] = is_alone(p->face, from + first, last - first, k - first);
    }
    for (int64_t k = 0; k < n && status == SCR_OK; ++k) {
        r->s->line = p->face[k].line;
        if (outer[k]) status = soup_add_polygon(r->s, p->face[k].corner, p->face[k].corner[3] == NO_NODE ? 3 : 4);
    }
    return status;
}

// Put the part together and begin a new one.
static scr_status end_part(inp_reader *r)
{
    part *p = &r->part;
    int64_t line = r->s->line;
    scr_status status = p->element_count > 0 ? index_nodes(r) : SCR_OK;
    for (int64_t k = 0; k < p->element_count && status == SCR_OK; ++k) status = add_element(r, &p->element[k]);
    if (status == SCR_OK) status = add_outer_faces(r);
    r->s->line = line;
    p->node_count = p->element_count = p->face_count = 0;
    p->first_vertex = r->s->out->vertex_count;
    return status;
}

// A whole number and the comma behind it, if there is one.
static scr_status read_integer(mesh_source *s, const char *what, int32_t *value)
{
    skip_blanks(s);
    int64_t number = 0;
    const char *at = s->at;
    for (; *at >= '0' && *at <= '9'; ++at)
        if (number <= INT32_MAX) number = 10 * number + (*at - '0');
    if (at == s->at) return source_fail(s, s->line, "'%s' is not the number of %s", word_here(s).text, what);
    if (number > INT32_MAX) return source_fail(s, s->line, "the number of %s is at most %d", what, INT32_MAX);
    s->at = at;
    *value = (int32_t)number;
    skip_blanks(s);
    if (*s->at == ',') ++s->at;
    else if (!at_line_end(s)) return source_fail(s, s->line, "'%s' stands where a comma should be", word_here(s).text);
    return SCR_OK;
}

// Coordinates that are left out are 0.
static scr_status read_node(inp_reader *r)
{
    mesh_source *s = r->s;
    part *p = &r->part;
    int32_t number;
    double c[3] = {0.0, 0.0, 0.0};
    scr_status status = read_integer(s, "a node", &number);
    for (int k = 0; k < 3 && status == SCR_OK; ++k) {
        skip_blanks(s);
        if (at_line_end(s)) break;
        if (*s->at != ',') status = read_number(s, &c[k]);
        skip_blanks(s);
        if (*s->at == ',') ++s->at;
        else if (status == SCR_OK && !at_line_end(s))
            status = source_fail(s, s->line, "'%s' stands where a comma should be", word_here(s).text);
    }
    if (status == SCR_OK && p->node_count == p->node_capacity)
        status = scr_grow(&p->node, &p->node_capacity, p->node_count + 1, sizeof *p->node, "nodes", s->error);
    if (status == SCR_OK) status = soup_add_vertex(s, (scr_vec3){c[0], c[1], c[2]});
    if (status == SCR_OK) p->node[p->node_count++] = number;
    return status;
}

// An element of many nodes may go on over several lines.
static scr_status read_element(inp_reader *r)
{
    mesh_source *s = r->s;
    part *p = &r->part;
    if (r->type == NULL) return SCR_OK;
    element e = {.type = r->type, .line = s->line};
    int32_t number, node;
    scr_status status = read_integer(s, "an element", &number);
    for (int k = 0; k < r->type->node_count && status == SCR_OK; ++k) {
        skip_blanks(s);
        if (at_line_end(s)) {
            next_line(s);
            skip_blanks(s);
            if (at_line_end(s) || *s->at == '*')
                return source_fail(s, e.line, "element %d has %d nodes, but an %s has %d", number, k, r->type->name,
                                   r->type->node_count);
        }
        status = read_integer(s, "a node", &node);
        if (k < r->type->corner_count) e.corner[k] = node;
    }
    if (status == SCR_OK && p->element_count == p->element_capacity)
        status =
            scr_grow(&p->element, &p->element_capacity, p->element_count + 1, sizeof *p->element, "elements", s->error);
    if (status == SCR_OK) p->element[p->element_count++] = e;
    return status;
}

// A word of a keyword line in capitals, up to a comma, an equals sign or the end; blanks around it are left out, one
// blank inside stands for many ("END  PART").
static void take_word(mesh_source *s, char word[WORD_MAX])
{
    int n = 0;
    bool blank = false;
    skip_blanks(s);
    for (; !at_line_end(s) && *s->at != ',' && *s->at != '='; ++s->at) {
        if (is_blank(*s->at)) {
            blank = true;
            continue;
        }
        if (blank && n < WORD_MAX - 1) word[n++] = ' ';
        blank = false;
        if (n < WORD_MAX - 1) word[n++] = (char)toupper((unsigned char)*s->at);
    }
    word[n] = '\0';
}

static const element_type *find_type(const char *name)
{
    const element_type *best = NULL;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
        size_t n = strlen(types[k].name);
        if (strncmp(name, types[k].name, n) == 0 && !isdigit((unsigned char)name[n])) best = &types[k];
    }
    return best;
}

// The parameters of *NODE and *ELEMENT that matter here. A comma at the end of the line joins it with the next.
static scr_status read_parameters(inp_reader *r)
{
    mesh_source *s = r->s;
    r->type = NULL;
    while (*s->at == ',') {
        char name[WORD_MAX], value[WORD_MAX] = "";
        ++s->at;
        skip_blanks(s);
        if (*s->at == '\n' && isalpha((unsigned char)s->at[1])) ++s->at, ++s->line;
        take_word(s, name);
        if (*s->at == '=') {
            ++s->at;
            take_word(s, value);
        }
        if (strcmp(name, "TYPE") == 0) r->type = find_type(value);
        if (strcmp(name, "INPUT") == 0) return source_fail(s, s->line, "data in another file (INPUT=) cannot be read");
    }
    return SCR_OK;
}

static scr_status read_keyword(inp_reader *r)
{
    static const char *const borders[] = {"PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE"};
    char word[WORD_MAX];
    ++r->s->at;
    take_word(r->s, word);
    r->now = strcmp(word, "NODE") == 0       ? NODES
             : strcmp(word, "ELEMENT") == 0  ? ELEMENTS
             : strcmp(word, "INSTANCE") == 0 ? INSTANCE
                                             : NOTHING;
    if (r->now == NODES || r->now == ELEMENTS) return read_parameters(r);
    for (size_t k = 0; k < sizeof borders / sizeof *borders; ++k)
        if (strcmp(word, borders[k]) == 0) return end_part(r);
    return SCR_OK;
}

// The data of an instance say where its part is moved and how it is turned.
static scr_status read_placement(mesh_source *s)
{
    for (;;) {
        double value;
        skip_blanks(s);
        if (at_line_end(s)) return SCR_OK;
        scr_status status = read_number(s, &value);
        if (status != SCR_OK) return status;
        if (value != 0.0)
            return source_fail(s, s->line,
                               "an instance that moves its part cannot be read: move the part's nodes instead");
        skip_blanks(s);
        if (*s->at == ',') ++s->at;
        else if (!at_line_end(s))
            return source_fail(s, s->line, "'%s' stands where a comma should be", word_here(s).text);
    }
}

static scr_status read_line(inp_reader *r)
{
    mesh_source *s = r->s;
    skip_blanks(s);
    if (at_line_end(s)) return SCR_OK;
    if (*s->at == '*') return s->at[1] == '*' ? SCR_OK : read_keyword(r);
    if (r->now == NODES) return read_node(r);
    if (r->now == ELEMENTS) return read_element(r);
    return r->now == INSTANCE ? read_placement(s) : SCR_OK;
}

scr_status read_inp(mesh_source *s)
{
    inp_reader r = {.s = s};
    scr_status status = SCR_OK;
    for (; s->at < s->end && status == SCR_OK; next_line(s)) status = read_line(&r);
    if (status == SCR_OK) status = end_part(&r);
    scr_free(r.part.node);
    scr_free(r.part.element);
    scr_free(r.part.slot);
    scr_free(r.part.face);
    scr_arena_free(&r.part.scratch);
    return status;
}
