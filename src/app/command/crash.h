// SPDX-License-Identifier: BSD-3-Clause
// The last resort: a crash becomes a sentence. Libraries we stand on may end the program on damaged files or where
// memory runs out; then the user learns what was running, on which file, and what is safe, and the exit code is that of
// a failure.
//
// SCREE_CORE=1 in the environment leaves crashes to the system, with its core dump.
#ifndef APP_COMMAND_CRASH_H
#define APP_COMMAND_CRASH_H

// What is being done: the verb and its first argument. Copied.
void crash_note_command(int argc, char **argv);
// The command ends by itself now, with a code of its own. HDF5 and others call exit() where memory runs out, without a
// word: an end that was not announced is one more crash.
void crash_expect_end(void);
// A run directory whose checkpoint is whole whatever happens; NULL: none.
void crash_note_run(const char *directory);

#endif
