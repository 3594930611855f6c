// What a scene builds, counted.
#include "app/scene_census.h"

#include "app/human.h"

static void print_part(FILE *out, const char **separator, int64_t count, const char *one, const char *many)
{
    if (count == 0) return;
    fprintf(out, "%s%s", *separator, human_things(count, one, many).text);
    *separator = ", ";
}

void print_scene_parts(FILE *out, const scene *s)
{
    const char *separator = "";
    print_part(out, &separator, s->material_count, "material", "materials");
    print_part(out, &separator, s->body_count, "body", "bodies");
    print_part(out, &separator, s->fill_count, "fill", "fills");
    print_part(out, &separator, s->table_count, "table of grains", "tables of grains");
    print_part(out, &separator, s->emitter_count, "emitter", "emitters");
    print_part(out, &separator, s->sink_count, "sink", "sinks");
    print_part(out, &separator, s->probe_count, "probe", "probes");
    print_part(out, &separator, s->domain.present, "domain", "domains");
    if (separator[0] == '\0') fputs("nothing", out);
}
