// What the scene of a run calls itself.
#ifndef IO_RUN_RUN_TITLE_H
#define IO_RUN_RUN_TITLE_H

// The title in scene.json of a run directory; NULL if there is none, or no scene that can be read. free() it.
char *run_title(const char *directory);

#endif
