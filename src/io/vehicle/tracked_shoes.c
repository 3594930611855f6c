// SPDX-License-Identifier: BSD-3-Clause
// The shoes of a track, and the sprocket that they run over.
//
// A pad lies below the pins' line; guide horns stand on it either side of the wheels, and pins stick out beside them,
// where the sprocket's two toothed discs take them.
#include "core/maths/trig.h"
#include "core/maths/vec3.h"
#include "io/vehicle/tracked_parts.h"

static const double PI = 3.14159265358979323846;
static const double SEAT_PLAY = 0.05, TOOTH_PLAY = 0.08;  // between a pin and the disc, a pin and a tooth; in pin radii
// of a tooth's width, where constraints drive the shoes: teeth are there to be seen, and touch no pin
static const double SLIM_TOOTH = 0.6;
static const double TIP_RISE = 0.55;            // of the depth of the pads: teeth end before them
static const double CONNECTOR_THICKNESS = 1.6;  // pin radii
static const scr_vec3 ACROSS = {0.0, 1.0, 0.0};

static json_t *shoe_shapes(const tracked_shoe *shoe, double gauge)
{
    json_t *shapes = json_array();
    double pad = shoe->pad_depth + 0.5 * shoe->pad_thickness, under = shoe->pad_depth + shoe->pad_thickness;
    json_array_append_new(shapes,
                          box_shape(vec3(shoe->pad_length, shoe->width, shoe->pad_thickness), vec3(0, 0, -pad)));
    if (shoe->grouser_height > 0.0)
        json_array_append_new(shapes, box_shape(vec3(shoe->grouser_length, shoe->width, shoe->grouser_height),
                                                vec3(0, 0, -under - 0.5 * shoe->grouser_height)));
    for (int side = -1; side <= 1; side += 2) {
        if (shoe->horn_height > 0.0)
            json_array_append_new(
                shapes, box_shape(vec3(shoe->horn_length, shoe->horn_thickness, shoe->horn_height),
                                  vec3(0, 0.5 * side * shoe->horn_gauge, 0.5 * shoe->horn_height - shoe->pad_depth)));
        // Of a single pin each shoe carries the one at its rear; the next shoe has the other.
        for (int end = -1; end <= (shoe->kind == SHOE_DOUBLE_PIN ? 1 : -1); end += 2)
            json_array_append_new(shapes, axle_shape(shoe->pin_radius, shoe->pin_length,
                                                     vec3(0.5 * end * shoe->pitch, 0.5 * side * gauge, 0)));
    }
    return shapes;
}

// Two bars beside the sprocket's discs.
static json_t *connector_shapes(const tracked_shoe *shoe, double gauge)
{
    json_t *shapes = json_array();
    double thickness = CONNECTOR_THICKNESS * shoe->pin_radius;
    for (int side = -1; side <= 1; side += 2)
        json_array_append_new(shapes, box_shape(vec3(shoe->connector_pitch, thickness, thickness),
                                                vec3(0, side * (0.5 * gauge + 0.5 * shoe->pin_length + thickness), 0)));
    return shapes;
}

static json_t *bushing_of(const tracked_shoe *s)
{
    return json_pack("{s:[f,f,f], s:[f,f,f], s:[f,f,f], s:[f,f,f]}", "stiffness", s->stiffness[0], s->stiffness[0],
                     s->stiffness[0], "damping", s->damping[0], s->damping[0], s->damping[0], "rotational_stiffness",
                     s->stiffness[1], s->stiffness[1], s->stiffness[1], "rotational_damping", s->damping[1],
                     s->damping[1], s->damping[1]);
}

static part_name link_name(const vehicle_site *site, const char *side, int link)
{
    if (site->file->tracked.shoe.kind != SHOE_DOUBLE_PIN) return name_part(site, side, "shoe", link);
    return name_part(site, side, link % 2 == 0 ? "shoe" : "connector", link / 2);
}

void add_shoes(vehicle_site *site, const track_wrap *wrap, const char *side, double y)
{
    const tracked_vehicle *v = &site->file->tracked;
    const tracked_shoe *shoe = &v->shoe;
    int count = track_link_count(shoe);
    for (int k = 0; k < count; ++k) {
        track_point from = wrap->pin[k], to = wrap->pin[(k + 1) % count];
        bool is_shoe = shoe->kind != SHOE_DOUBLE_PIN || k % 2 == 0;
        add_part(site, (part_body){
                           .name = link_name(site, side, k),
                           .position = vec3(0.5 * (from.x + to.x), y, 0.5 * (from.z + to.z)),
                           .rotation = rotation_to(to.x - from.x, to.z - from.z),
                           .mass = is_shoe ? shoe->mass : shoe->connector_mass,
                           .look = &site->file->shoes,
                           .shapes = is_shoe ? shoe_shapes(shoe, v->sprocket.gauge)
                                             : connector_shapes(shoe, v->sprocket.gauge),
                           .is_shoe = true,
                       });
        bool is_band = shoe->kind == SHOE_BAND;
        json_t *more = is_band ? bushing_of(shoe) : json_object();
        if (shoe->pin_strength > 0.0) json_object_set_new(more, "break_force", json_real(shoe->pin_strength));
        add_part_joint(site, is_band ? "bushing" : "revolute", name_part(site, side, "pin", k),
                       link_name(site, side, (k + count - 1) % count), link_name(site, side, k),
                       vec3(from.x, y, from.z), ACROSS, more);
    }
}

// A tooth fills the gap between the pins of a shoe, which are `reach` from the sprocket's axis along the tooth.
static json_t *tooth_shape(const tracked_vehicle *v, double radius, double reach, double angle, double y)
{
    const tracked_shoe *shoe = &v->shoe;
    double half = 0.5 * shoe->pitch - (1.0 + TOOTH_PLAY) * shoe->pin_radius, sine, cosine;
    if (v->sprocket.engagement == ENGAGE_BY_CONSTRAINT) half *= SLIM_TOOTH;
    const double level[3] = {radius - 2.0 * shoe->pin_radius, reach - 0.2 * shoe->pin_radius,
                             reach + TIP_RISE * shoe->pad_depth},
                 width[3] = {0.92 * half, half, 0.68 * half};
    json_t *points = json_array();
    scr_sincos(angle, &sine, &cosine);
    for (int corner = 0; corner < 12; ++corner) {
        double r = level[corner / 4], w = corner & 1 ? width[corner / 4] : -width[corner / 4],
               across = corner & 2 ? 0.5 * v->sprocket.width : -0.5 * v->sprocket.width;
        json_array_append_new(points, vector_json(vec3(r * cosine - w * sine, y + across, r * sine + w * cosine)));
    }
    return json_pack("{s:{s:o}}", "hull", "points", points);
}

static bool is_on_sprocket(const tracked_vehicle *v, track_point pin, double radius)
{
    track_point c = v->sprocket.position;
    return fabs(hypot(pin.x - c.x, pin.z - c.z) - radius) < 1e-6 * radius;
}

static int links_of_shoe(const tracked_shoe *shoe) { return shoe->kind == SHOE_DOUBLE_PIN ? 2 : 1; }

// rad: where a tooth is, so that it stands between the pins of a shoe; 0 if no shoe lies on the sprocket.
static double tooth_angle(const tracked_vehicle *v, const track_wrap *wrap, double radius)
{
    int count = track_link_count(&v->shoe);
    for (int k = 0; k < count; k += links_of_shoe(&v->shoe)) {
        track_point a = wrap->pin[k], b = wrap->pin[(k + 1) % count], c = v->sprocket.position;
        if (is_on_sprocket(v, a, radius) && is_on_sprocket(v, b, radius))
            return scr_atan2(0.5 * (a.z + b.z) - c.z, 0.5 * (a.x + b.x) - c.x);
    }
    return 0.0;
}

// The rear pin of a shoe that lies in the middle of those on the sprocket; 0 if none does.
static int middle_pin(const tracked_vehicle *v, const track_wrap *wrap, double radius)
{
    int count = track_link_count(&v->shoe), step = links_of_shoe(&v->shoe), best = 0;
    track_point c = v->sprocket.position, sum = {0.0, 0.0};
    for (int k = 0; k < count; k += step) {
        if (!is_on_sprocket(v, wrap->pin[k], radius)) continue;
        sum.x += wrap->pin[k].x - c.x;
        sum.z += wrap->pin[k].z - c.z;
    }
    double farthest = -INFINITY;
    for (int k = 0; k < count; k += step) {
        double along = (wrap->pin[k].x - c.x) * sum.x + (wrap->pin[k].z - c.z) * sum.z;
        if (!is_on_sprocket(v, wrap->pin[k], radius) || along <= farthest) continue;
        farthest = along;
        best = k;
    }
    return best;
}

// The pin in the middle of the sprocket is held first: far from where shoes come and go. A sprocket that drives
// forward turns its upper side forward, so the next pin to come is the neighbour that has the upper side before it.
void add_chain_drive(vehicle_site *site, const track_wrap *wrap, const char *side)
{
    const tracked_vehicle *v = &site->file->tracked;
    int count = track_link_count(&v->shoe), step = links_of_shoe(&v->shoe),
        first = middle_pin(v, wrap, sprocket_pin_radius(v));
    track_point c = v->sprocket.position, a = wrap->pin[first], b = wrap->pin[(first + step) % count];
    double anticlockwise = (a.x - c.x) * (b.z - c.z) - (a.z - c.z) * (b.x - c.x);  // as x and z are drawn
    int forward = anticlockwise > 0.0 ? step : count - step;
    json_t *pins = json_array();
    for (int k = 0; k < count / step; ++k)
        json_array_append_new(pins, json_string(name_part(site, side, "pin", (first + k * forward) % count).text));
    json_array_append_new(site->chain_drives,
                          json_pack("{s:s, s:s, s:i, s:o}", "name", name_part(site, side, "track", -1).text, "sprocket",
                                    name_part(site, side, "sprocket", -1).text, "teeth", v->sprocket.teeth, "pins",
                                    pins));
}

json_t *sprocket_shapes(const tracked_vehicle *v, const track_wrap *wrap)
{
    const tracked_sprocket *s = &v->sprocket;
    double radius = sprocket_pin_radius(v), half = 0.5 * v->shoe.pitch, reach = sqrt(radius * radius - half * half),
           first = tooth_angle(v, wrap, radius), spacing = 2.0 * PI / s->teeth,
           play = s->engagement == ENGAGE_BY_CONTACT ? SEAT_PLAY : 0.0;
    json_t *shapes = json_array();
    json_array_append_new(shapes, axle_shape(s->hub_radius, s->gauge - s->width, vec3(0, 0, 0)));
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.5 * side * s->gauge;
        json_array_append_new(shapes, axle_shape(radius - (1.0 + play) * v->shoe.pin_radius, s->width, vec3(0, y, 0)));
        for (int k = 0; k < s->teeth; ++k)
            json_array_append_new(shapes, tooth_shape(v, radius, reach, first + k * spacing, y));
    }
    return shapes;
}
