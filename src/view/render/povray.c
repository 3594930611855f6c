// SPDX-License-Identifier: BSD-3-Clause
// A run as scenes for POV-Ray.
#include "view/render/povray.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/file/safe_file.h"
#include "core/text/memory_stream.h"
#include "io/file/made_by.h"
#include "io/file/text_output.h"
#include "view/colour/paint.h"
#include "view/stage/light.h"

struct povray_series {
    char directory[PATH_LENGTH_MAX];
    const survey *seen;
    render_options options;
    char *prepared;     // the prepared scene, or our own
    bool has_surfaces;  // surfaces.inc is written
    // What the marker is replaced by: the names of the files of frames.
    char *list;
    size_t list_size;
    FILE *list_out;
    int64_t frame_count;
};

// ---- bodies --------------------------------------------------------------------------------------------------------

static void put_vector(FILE *out, vec3f v) { fprintf(out, "<%.7g,%.7g,%.7g>", v[0], v[1], v[2]); }

// What one sees through casts no shadow, as in our own pictures.
static void put_colour(FILE *out, const float *rgb, const paint *p, uint32_t id)
{
    scene_appearance a = appearance_of(&p->appearance, id);
    if (a.has_opacity && a.opacity < 1.0)
        fprintf(out, "pigment{rgbt<%.4f,%.4f,%.4f,%.4f>} no_shadow", rgb[0], rgb[1], rgb[2], 1.0 - a.opacity);
    else fprintf(out, "pigment{rgb<%.4f,%.4f,%.4f>}", rgb[0], rgb[1], rgb[2]);
}

// The columns of a rotation, then the position: how POV-Ray writes a frame.
static void put_pose(FILE *out, const float position[3], const float rotation[4])
{
    fprintf(out, "matrix<");
    for (int axis = 0; axis < 3; ++axis) {
        vec3f unit = vec3f_all(0.0f);
        unit[axis] = 1.0f;
        unit = vec3f_rotate(rotation, unit);
        fprintf(out, "%.7g,%.7g,%.7g,", unit[0], unit[1], unit[2]);
    }
    fprintf(out, "%.7g,%.7g,%.7g>", position[0], position[1], position[2]);
}

static void put_spheres(FILE *out, const frame_spheres *s, const paint *p)
{
    for (int64_t i = 0; i < s->count; ++i) {
        fprintf(out, "sphere{");
        put_vector(out, vec3f_load(&s->position[3 * i]));
        fprintf(out, ",%.7g ", s->radius[i]);
        put_colour(out, &p->sphere[3 * i], p, s->id[i]);
        fprintf(out, "}\n");
    }
}

static const char GLASS[] = "texture{scree_glass} no_shadow no_reflection";

static void put_boxes(FILE *out, const stage *s, const paint *p)
{
    for (int64_t i = 0; i < s->frame->box_count; ++i) {
        const frame_shape *b = &s->frame->boxes[i];
        fprintf(out, "box{<%.7g,%.7g,%.7g>,<%.7g,%.7g,%.7g> ", -b->half[0], -b->half[1], -b->half[2], b->half[0],
                b->half[1], b->half[2]);
        if (s->box_is_glass[i] && !appearance_is_translucent(&s->appearance, b->id)) fputs(GLASS, out);
        else put_colour(out, &p->box[3 * i], p, b->id);
        fputc(' ', out);
        put_pose(out, b->position, b->rotation);
        fprintf(out, "}\n");
    }
}

// The shape itself, in its own frame.
static void put_shape(FILE *out, const frame_shape *part)
{
    float r = part->half[0], l = part->half[2];
    switch (part->shape) {
    case SCR_ELLIPSOID:
        fprintf(out, "sphere{0,1 scale<%.7g,%.7g,%.7g>", part->half[0], part->half[1], part->half[2]);
        break;
    case SCR_CAPSULE:
        fprintf(out, "merge{cylinder{<0,0,%.7g>,<0,0,%.7g>,%.7g}sphere{<0,0,%.7g>,%.7g}sphere{<0,0,%.7g>,%.7g}", -l, l,
                r, -l, r, l, r);
        break;
    case SCR_CYLINDER: fprintf(out, "cylinder{<0,0,%.7g>,<0,0,%.7g>,%.7g", -l, l, r); break;
    case SCR_CONE: fprintf(out, "cone{<0,0,%.7g>,%.7g,<0,0,%.7g>,0", -l, r, l); break;
    default: fprintf(out, "object{scree_surface[%d]", part->surface); break;
    }
}

static void put_parts(FILE *out, const frame *f, const paint *p)
{
    for (int64_t i = 0; i < f->part_count; ++i) {
        const frame_shape *part = &f->parts[i];
        put_shape(out, part);
        fputc(' ', out);
        put_colour(out, &p->part[3 * i], p, part->id);
        fputc(' ', out);
        put_pose(out, part->position, part->rotation);
        fprintf(out, "}\n");
    }
}

// Walls of planes are as large as in our own pictures; ground has no end.
static void put_patches(FILE *out, const stage *s, const paint *p)
{
    for (int64_t i = 0; i < s->patch_count; ++i) {
        const plane_patch *patch = &s->patches[i];
        vec3f colour = appearance_colour(&p->appearance, patch->id, patch->ground ? p->ground : p->wall);
        if (patch->vertex_count == 0) continue;
        if (patch->ground) {
            fprintf(out, "plane{z,%.7g ", patch->vertex[0][2]);
        } else {
            fprintf(out, "polygon{%d", patch->vertex_count + 1);
            for (int k = 0; k <= patch->vertex_count; ++k) {
                fputc(',', out);
                put_vector(out, patch->vertex[k % patch->vertex_count]);
            }
            fputc(' ', out);
        }
        if (patch->glass && !appearance_is_translucent(&s->appearance, patch->id)) fputs(GLASS, out);
        else put_colour(out, (const float[3]){colour[0], colour[1], colour[2]}, p, patch->id);
        fprintf(out, "}\n");
    }
}

static scr_status put_frame(FILE *out, const povray_series *s, int64_t number, const frame *f, scr_error *error)
{
    stage on = {0};
    paint p = {0};
    render_options o = survey_options_at(s->seen, &s->options, f);
    const scene_view *v = &o.view;
    ground_request ground = {v->ground, v->has_ground_height, v->ground_height};
    paint_request colours = {.colour = v->colour,
                             .map = v->map,
                             .has_range = v->has_range,
                             .range = {v->range_min, v->range_max},
                             .first = o.first,
                             .group_of_body = o.names.group_of_body,
                             .body_count = o.names.body_count,
                             .appearance = o.names.appearance,
                             .first_rod = -1};
    scr_status status = stage_init(&on, f, o.framing, &ground, error);
    if (status == SCR_OK) status = paint_init(&p, f, &colours, error);
    if (status == SCR_OK) {
        on.appearance = o.names.appearance;
        stage_choose_glass(&on, vec3f_of((float)v->eye.x, (float)v->eye.y, (float)v->eye.z));
        fprintf(out, "// frame %" PRId64 ", " MADE_BY_SCREE "\n#declare scree_time = %.9g;\n", number, f->time);
        fprintf(out, "#declare scree_eye = <%.7g,%.7g,%.7g>;\n#declare scree_target = <%.7g,%.7g,%.7g>;\n", v->eye.x,
                v->eye.y, v->eye.z, v->target.x, v->target.y, v->target.z);
        put_spheres(out, &f->spheres, &p);
        put_boxes(out, &on, &p);
        put_parts(out, f, &p);
        put_patches(out, &on, &p);
    }
    paint_free(&p);
    stage_free(&on);
    return status;
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

static void put_surface(FILE *out, const frame_surfaces *all, int64_t index)
{
    const frame_surface *s = &all->item[index];
    fprintf(out, "#declare scree_surface[%" PRId64 "] = mesh2{vertex_vectors{%" PRId64, index, s->vertex_count);
    for (int64_t i = 0; i < s->vertex_count; ++i) {
        fputs(i % 4 == 0 ? ",\n" : ",", out);
        put_vector(out, vec3f_load(&all->vertex[3 * (s->first_vertex + i)]));
    }
    fprintf(out, "}\nface_indices{%" PRId64, s->triangle_count);
    for (int64_t i = 0; i < s->triangle_count; ++i) {
        const int32_t *t = &all->triangle[3 * (s->first_triangle + i)];
        fprintf(out, "%s<%d,%d,%d>", i % 8 == 0 ? ",\n" : ",", t[0], t[1], t[2]);
    }
    fprintf(out, "}}\n");
}

static scr_status write_surfaces(povray_series *s, const frame_surfaces *all, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    FILE *out;
    if (all == NULL || all->count == 0) return SCR_OK;
    scr_status status = path_join(path, s->directory, "surfaces.inc", error);
    if (status == SCR_OK) status = text_output_open(path, &out, error);
    if (status != SCR_OK) return status;
    fprintf(out, "// " MADE_BY_SCREE "\n#declare scree_surface = array[%" PRId64 "];\n", all->count);
    for (int64_t i = 0; i < all->count; ++i) put_surface(out, all, i);
    s->has_surfaces = true;
    return text_output_close(path, out, SCR_OK, error);
}

// ---- the scene -----------------------------------------------------------------------------------------------------

// Our own scene. Sun and sky are those of view/stage/light.h, for the camera of the first frame.
static scr_status own_scene(const povray_series *s, char **text, scr_error *error)
{
    size_t size = 0;
    FILE *out = memory_stream_open(text, &size);
    if (out == NULL) return scr_fail_memory(error, 0, "a scene for POV-Ray");
    camera c =
        render_camera(&(render_options){.view = s->seen->view, .width = s->options.width, .height = s->options.height},
                      &s->seen->framing.subject);
    light l = light_for(&c);
    float far = 40.0f * extent_radius(&s->seen->framing.subject),
          spread = 2.0f * far * sqrtf(1.0f / (l.sun_cosine * l.sun_cosine) - 1.0f);
    vec3f sun = extent_centre(&s->seen->framing.subject) + far * l.sun_direction;
    // A surface in POV-Ray sends out its colour times the light's times the cosine: the light's is our irradiance over
    // pi.
    fprintf(out, "#version 3.7;\n"
                 "// Quality: points along an edge of the sun, and rays that look for the light of the sky.\n"
                 "#ifndef(scree_sun) #declare scree_sun = 4; #end\n#ifndef(scree_sky) #declare scree_sky = 80; #end\n"
                 "global_settings{assumed_gamma 1.0 radiosity{pretrace_start 0.08 pretrace_end 0.01 count scree_sky "
                 "error_bound 0.8 "
                 "recursion_limit 1 nearest_count 8 brightness 1}}\n"
                 "#default{finish{ambient 0 diffuse 1 specular 0.1 roughness 0.03}}\n" POVRAY_MARKER "\n");
    fprintf(out,
            "camera{location scree_eye right -x*image_width/image_height up z sky z\n"
            "       angle 2*degrees(atan(tan(radians(%.7g)/2)*image_width/image_height)) look_at scree_target}\n",
            s->options.view.field_of_view);
    fprintf(out, "light_source{");
    put_vector(out, sun);
    fprintf(out,
            " rgb<%.4f,%.4f,%.4f> area_light x*%.7g,z*%.7g,scree_sun,scree_sun adaptive 1 jitter circular orient}\n",
            l.sun[0], l.sun[1], l.sun[2], spread, spread);
    fprintf(
        out,
        "sky_sphere{pigment{gradient z color_map{[0 rgb<%.4f,%.4f,%.4f>][1 rgb<%.4f,%.4f,%.4f>]}} emission rgb 1}\n",
        l.horizon[0], l.horizon[1], l.horizon[2], l.zenith[0], l.zenith[1], l.zenith[2]);
    bool complete = !ferror(out);
    if (fclose(out) != 0 || !complete) return scr_fail_memory(error, size, "a scene for POV-Ray");
    return SCR_OK;
}

// The line that holds nothing but the marker, and blanks.
static const char *find_marker(const char *text)
{
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        if (*line == '\n') ++line;
        const char *word = line + strspn(line, " \t");
        if (strncmp(word, POVRAY_MARKER, strlen(POVRAY_MARKER)) != 0) continue;
        const char *after = word + strlen(POVRAY_MARKER);
        after += strspn(after, " \t\r");
        if (*after == '\n' || *after == '\0') return line;
    }
    return NULL;
}

static void put_includes(FILE *out, const povray_series *s)
{
    fprintf(out, "// written by scree: all its bodies, as they are in one frame of the run\n");
    fprintf(out, "#declare scree_glass = texture{pigment{rgbt<0.90,0.95,0.97,0.93>} finish{specular 0.3 roughness 0.01 "
                 "diffuse 0.3}}\n");
    if (s->has_surfaces) fprintf(out, "#include \"surfaces.inc\"\n");
    fprintf(out, "#declare scree_frames = array[%" PRId64 "]{%s};\n", s->frame_count, s->list);
    fprintf(out, "#include scree_frames[min(max(frame_number - initial_frame, 0), %" PRId64 ")]\n", s->frame_count - 1);
}

static scr_status write_scene(const povray_series *s, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    FILE *out;
    const char *marker = find_marker(s->prepared), *rest = strchr(marker, '\n');
    scr_status status = path_join(path, s->directory, "scene.pov", error);
    if (status == SCR_OK) status = text_output_open(path, &out, error);
    if (status != SCR_OK) return status;
    fprintf(out, "// " MADE_BY_SCREE "\n");
    fwrite(s->prepared, 1, (size_t)(marker - s->prepared), out);
    put_includes(out, s);
    if (rest != NULL) fputs(rest + 1, out);
    return text_output_close(path, out, SCR_OK, error);
}

static scr_status write_settings(const povray_series *s, scr_error *error)
{
    char path[PATH_LENGTH_MAX];
    FILE *out;
    scr_status status = path_join(path, s->directory, "scene.ini", error);
    if (status == SCR_OK) status = text_output_open(path, &out, error);
    if (status != SCR_OK) return status;
    fprintf(out, "; povray scene.ini renders all frames\n; " MADE_BY_SCREE "\n");
    fprintf(out, "Input_File_Name=scene.pov\nOutput_File_Type=N\nDisplay=off\n");
    fprintf(out, "Width=%d\nHeight=%d\nAntialias=on\n", s->options.width, s->options.height);
    if (s->frame_count > 1) fprintf(out, "Initial_Frame=1\nFinal_Frame=%" PRId64 "\n", s->frame_count);
    return text_output_close(path, out, SCR_OK, error);
}

scr_status povray_check_prepared(const char *text, scr_error *error)
{
    if (find_marker(text) != NULL) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT, "the prepared scene has no line that says %s: that is where the bodies go",
                    POVRAY_MARKER);
}

scr_status povray_begin(const char *directory, const char *prepared, const survey *seen, const render_options *o,
                        povray_series **result, scr_error *error)
{
    povray_series *s = scr_alloc(sizeof *s);
    if (s == NULL) return scr_fail_memory(error, sizeof *s, directory);
    *s = (povray_series){.seen = seen, .options = *o};
    scr_status status = directory_create(directory, error);  // also refuses a name that is too long
    if (status == SCR_OK) memcpy(s->directory, directory, strlen(directory) + 1);
    if (status == SCR_OK && (s->list_out = memory_stream_open(&s->list, &s->list_size)) == NULL)
        status = scr_fail_memory(error, 0, directory);
    if (status == SCR_OK && prepared == NULL) status = own_scene(s, &s->prepared, error);
    if (status == SCR_OK && prepared != NULL && (s->prepared = strdup(prepared)) == NULL)
        status = scr_fail_memory(error, strlen(prepared), "a prepared scene");
    if (status == SCR_OK) status = write_surfaces(s, seen->first.surfaces, error);
    if (status == SCR_OK) *result = s;
    else povray_end(s, status, error);
    return status;
}

scr_status povray_add(povray_series *s, int64_t number, const frame *f, scr_error *error)
{
    char name[64], path[PATH_LENGTH_MAX];
    FILE *out;
    snprintf(name, sizeof name, "frame-%05" PRId64 ".inc", number);
    scr_status status = path_join(path, s->directory, name, error);
    if (status == SCR_OK) status = text_output_open(path, &out, error);
    if (status != SCR_OK) return status;
    status = text_output_close(path, out, put_frame(out, s, number, f, error), error);
    if (status == SCR_OK) fprintf(s->list_out, "%s\"%s\"", s->frame_count++ > 0 ? "," : "", name);
    return status;
}

scr_status povray_end(povray_series *s, scr_status status, scr_error *error)
{
    if (s->list_out != NULL && fclose(s->list_out) != 0 && status == SCR_OK)
        status = scr_fail_memory(error, s->list_size, "the list of frames");
    if (status == SCR_OK) status = write_scene(s, error);
    if (status == SCR_OK) status = write_settings(s, error);
    free(s->list);
    free(s->prepared);
    scr_free(s);
    return status;
}
