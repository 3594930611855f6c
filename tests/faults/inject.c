// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into the command (LD_PRELOAD): counts calls of a kind, and makes the nth of them fail.
//
//   SCREE_FAULT=write:17:ENOSPC    the 17th write fails; write:17+:ENOSPC: the 17th and all after it
//   SCREE_FAULT=rename:3:KILL      SIGKILL before the 3rd rename; DEAD: after it; TORN: amid a write, where a page ends
//   SCREE_FAULT_COUNTS=FILE        8-byte counters: of each kind in the order below, then of calls made to fail
//
// A file of counters that is mapped survives any death of the process. What the C library calls within itself cannot be
// seen from here: files that are opened with fopen() to be written become streams over our own write(), so that what
// their buffers let go counts as well. Standard output and error are left alone: the sentence that is waited for must
// get through.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CALL_WRITE, CALL_FSYNC, CALL_RENAME, CALL_OPEN, CALL_CLOSE, CALL_MALLOC, CALL_READ, CALL_KINDS };
static const char *const call_names[CALL_KINDS] = {"write", "fsync", "rename", "open", "close", "malloc", "read"};

typedef enum effect { EFFECT_NONE, EFFECT_FAIL, EFFECT_KILL, EFFECT_DEAD, EFFECT_TORN } effect;

static struct {
    int call;      // -1: none, counting only
    uint64_t nth;  // from 1
    bool lasting;  // that and all later ones
    effect effect;
    int error;  // errno of EFFECT_FAIL
} fault = {.call = -1};

static uint64_t own_counts[CALL_KINDS + 1];
static uint64_t *counts = own_counts;

static void read_effect(const char *word)
{
    static const struct {
        const char *word;
        effect effect;
        int error;
    } words[] = {{"ENOSPC", EFFECT_FAIL, ENOSPC}, {"EIO", EFFECT_FAIL, EIO},       {"ENOMEM", EFFECT_FAIL, ENOMEM},
                 {"EACCES", EFFECT_FAIL, EACCES}, {"EMFILE", EFFECT_FAIL, EMFILE}, {"KILL", EFFECT_KILL, 0},
                 {"DEAD", EFFECT_DEAD, 0},        {"TORN", EFFECT_TORN, 0}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k) {
        if (strcmp(word, words[k].word) != 0) continue;
        fault.effect = words[k].effect;
        fault.error = words[k].error;
    }
}

static void map_counts(const char *path)
{
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return;
    if (syscall(SYS_ftruncate, file, sizeof own_counts) == 0) {
        void *mapped = mmap(NULL, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) counts = mapped;
    }
    syscall(SYS_close, file);
}

// At the first call, whoever makes it: libraries ask for memory before main begins, and before we could.
static void begin(void)
{
    static bool begun;
    if (begun) return;
    begun = true;
    const char *where = getenv("SCREE_FAULT_COUNTS"), *what = getenv("SCREE_FAULT");
    if (where != NULL) map_counts(where);
    if (what == NULL) return;
    char *rest = strchr(what, ':');
    if (rest == NULL) return;
    for (int k = 0; k < CALL_KINDS; ++k) {
        if (strncmp(what, call_names[k], (size_t)(rest - what)) == 0) fault.call = k;
    }
    fault.nth = strtoull(rest + 1, &rest, 10);
    fault.lasting = *rest == '+';
    if (fault.lasting) ++rest;
    if (*rest == ':') read_effect(rest + 1);
}

static void die(void)
{
    syscall(SYS_kill, (pid_t)syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

// Counts a call and says what is to happen to it.
static effect count(int call)
{
    begin();
    uint64_t n = __atomic_add_fetch(&counts[call], 1, __ATOMIC_RELAXED);
    if (call != fault.call || n < fault.nth || (n > fault.nth && !fault.lasting)) return EFFECT_NONE;
    __atomic_add_fetch(&counts[CALL_KINDS], 1, __ATOMIC_RELAXED);
    if (fault.effect == EFFECT_KILL) die();
    if (fault.effect == EFFECT_FAIL) errno = fault.error;
    return fault.effect;
}

// A call that fails does nothing; one after which the process dies does all that it should.
#define FAULTY(call, failure, action)                                                                                  \
    do {                                                                                                               \
        effect happens_ = count(call);                                                                                 \
        if (happens_ == EFFECT_FAIL) return failure;                                                                   \
        __typeof__(action) result_ = (action);                                                                         \
        if (happens_ != EFFECT_NONE) die();                                                                            \
        return result_;                                                                                                \
    } while (0)

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

// ---- writing and reading -------------------------------------------------------------------------------------------

static ssize_t put(int file, const void *data, size_t size, int64_t offset)
{
    return offset < 0 ? syscall(SYS_write, file, data, size) : syscall(SYS_pwrite64, file, data, size, offset);
}

// Linux copies what is written page by page, and looks for SIGKILL in between: so much may be all that is written.
static size_t to_page_end(size_t size, int file, int64_t offset)
{
    const int64_t page = 4096;
    int64_t at = offset >= 0 ? offset : (int64_t)lseek64(file, 0, SEEK_CUR);
    size_t room = at < 0 ? (size_t)page : (size_t)(page - at % page);
    return size < room ? size : room;
}

static ssize_t faulty_put(int file, const void *data, size_t size, int64_t offset)
{
    if (file == STDOUT_FILENO || file == STDERR_FILENO) return put(file, data, size, offset);
    effect happens = count(CALL_WRITE);
    if (happens == EFFECT_FAIL) return -1;
    ssize_t result = put(file, data, happens == EFFECT_TORN ? to_page_end(size, file, offset) : size, offset);
    if (happens != EFFECT_NONE) die();
    return result;
}

ssize_t write(int file, const void *data, size_t size) { return faulty_put(file, data, size, -1); }
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return faulty_put(file, data, size, offset); }
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset)
{
    return faulty_put(file, data, size, offset);
}
int ftruncate(int file, off_t size) { FAULTY(CALL_WRITE, -1, (int)syscall(SYS_ftruncate, file, size)); }
int ftruncate64(int file, off64_t size) { FAULTY(CALL_WRITE, -1, (int)syscall(SYS_ftruncate, file, size)); }

ssize_t read(int file, void *data, size_t size) { FAULTY(CALL_READ, -1, syscall(SYS_read, file, data, size)); }
ssize_t pread(int file, void *data, size_t size, off_t offset)
{
    FAULTY(CALL_READ, -1, syscall(SYS_pread64, file, data, size, offset));
}
ssize_t pread64(int file, void *data, size_t size, off64_t offset)
{
    FAULTY(CALL_READ, -1, syscall(SYS_pread64, file, data, size, offset));
}

int fsync(int file) { FAULTY(CALL_FSYNC, -1, (int)syscall(SYS_fsync, file)); }
int fdatasync(int file) { FAULTY(CALL_FSYNC, -1, (int)syscall(SYS_fdatasync, file)); }

// ---- names ---------------------------------------------------------------------------------------------------------

int rename(const char *from, const char *to)
{
    FAULTY(CALL_RENAME, -1, (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    FAULTY(CALL_RENAME, -1, (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, 0));
}
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags)
{
    FAULTY(CALL_RENAME, -1, (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
}
int link(const char *from, const char *to)  // a rename that replaces nothing
{
    FAULTY(CALL_RENAME, -1, (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

// ---- opening and closing -------------------------------------------------------------------------------------------

static int faulty_open(int directory, const char *path, int flags, va_list more)
{
    unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, unsigned) : 0;
    FAULTY(CALL_OPEN, -1, (int)syscall(SYS_openat, directory, path, flags, mode));
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        int file = faulty_open(AT_FDCWD, path, flags, more);                                                           \
        va_end(more);                                                                                                  \
        return file;                                                                                                   \
    }
#define OPENAT(name)                                                                                                   \
    int name(int directory, const char *path, int flags, ...)                                                          \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        int file = faulty_open(directory, path, flags, more);                                                          \
        va_end(more);                                                                                                  \
        return file;                                                                                                   \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

// Linux lets the file go even where close() fails.
int close(int file)
{
    effect happens = count(CALL_CLOSE);
    int result = (int)syscall(SYS_close, file);
    if (happens == EFFECT_NONE) return result;
    if (happens != EFFECT_FAIL) die();
    errno = fault.error;
    return -1;
}

// ---- streams -------------------------------------------------------------------------------------------------------

static ssize_t stream_write(void *cookie, const char *data, size_t size)
{
    ssize_t written = write((int)(intptr_t)cookie - 1, data, size);
    return written < 0 ? 0 : written;  // 0 is how a stream learns of an error
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
    off64_t at = lseek64((int)(intptr_t)cookie - 1, *offset, whence);
    if (at < 0) return -1;
    *offset = at;
    return 0;
}

static int stream_close(void *cookie) { return close((int)(intptr_t)cookie - 1); }

static FILE *stream_over(int file, const char *mode)
{
    const cookie_io_functions_t calls = {.write = stream_write, .seek = stream_seek, .close = stream_close};
    FILE *stream = fopencookie((void *)(intptr_t)(file + 1), mode, calls);  // never NULL, not even for file 0
    if (stream == NULL) syscall(SYS_close, file);
    return stream;
}

static FILE *faulty_fopen(const char *path, const char *mode)
{
    static FILE *(*real)(const char *, const char *);
    if (real == NULL) real = (FILE * (*)(const char *, const char *)) next("fopen");
    if (strchr(mode, '+') != NULL || mode[0] == 'r') FAULTY(CALL_OPEN, NULL, real(path, mode));
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (mode[0] == 'a' ? O_APPEND : O_TRUNC) |
                (strchr(mode, 'x') != NULL ? O_EXCL : 0);
    int file = open(path, flags, 0666);
    return file < 0 ? NULL : stream_over(file, mode[0] == 'a' ? "a" : "w");
}

FILE *fopen(const char *path, const char *mode) { return faulty_fopen(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return faulty_fopen(path, mode); }

FILE *fdopen(int file, const char *mode)
{
    static FILE *(*real)(int, const char *);
    if (real == NULL) real = (FILE * (*)(int, const char *)) next("fdopen");
    if (strchr(mode, '+') != NULL || mode[0] == 'r') return real(file, mode);
    return stream_over(file, mode[0] == 'a' ? "a" : "w");
}

// ---- memory --------------------------------------------------------------------------------------------------------

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { FAULTY(CALL_MALLOC, NULL, __libc_malloc(size)); }
void *calloc(size_t number, size_t size) { FAULTY(CALL_MALLOC, NULL, __libc_calloc(number, size)); }
void *realloc(void *old, size_t size) { FAULTY(CALL_MALLOC, NULL, __libc_realloc(old, size)); }
void *aligned_alloc(size_t alignment, size_t size) { FAULTY(CALL_MALLOC, NULL, __libc_memalign(alignment, size)); }
void *memalign(size_t alignment, size_t size) { FAULTY(CALL_MALLOC, NULL, __libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (count(CALL_MALLOC) == EFFECT_FAIL) return ENOMEM;
    *memory = __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}
