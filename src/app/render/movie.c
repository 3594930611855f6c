// SPDX-License-Identifier: BSD-3-Clause
// Movies, by the program ffmpeg: it gets the pictures through a pipe, one after the other.
#include "app/render/movie.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/render/output_name.h"
#include "core/file/temporary_file.h"
#include "io/file/made_by.h"

extern char **environ;

static bool is_program(const char *name)
{
    const char *paths = getenv("PATH");
    char path[PATH_LENGTH_MAX];
    while (paths != NULL && *paths != '\0') {
        size_t length = strcspn(paths, ":");
        if (snprintf(path, sizeof path, "%.*s/%s", (int)length, paths, name) < (int)sizeof path &&
            access(path, X_OK) == 0)
            return true;
        paths += length + (paths[length] == ':');
    }
    return false;
}

scr_status movie_check(const char *path, scr_error *error)
{
    if (is_program("ffmpeg")) return SCR_OK;
    return scr_fail(error, SCR_BAD_INPUT,
                    "%s: a movie is made by the program ffmpeg, which is not installed; --frames makes its pictures "
                    "without it",
                    path);
}

static bool send(int pipe, const char *path)
{
    char buffer[1 << 16];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : 1;
    while (length > 0) {
        length = read(file, buffer, sizeof buffer);
        for (ssize_t sent = 0, more; sent < length; sent += more)
            if ((more = write(pipe, buffer + sent, (size_t)(length - sent))) < 0) {
                length = -1;
                break;
            }
    }
    if (file >= 0) close(file);
    return length == 0;
}

// "file:" in front makes any name a file: without it ffmpeg takes -x.mp4 for an option, and http:x.mp4 or concat:x.mp4
// for something to connect to.
// Half pixels of colour need even edges; crf is the quality, lower is better.
static scr_status start_ffmpeg(const char *path, const char *file, int frames_per_second, int *pipe_end, pid_t *pid,
                               scr_error *error)
{
    char rate[16];
    snprintf(rate, sizeof rate, "%d", frames_per_second);
    const char *const h264[] = {"-c:v", "libx264",   "-crf",       "17", "-preset",
                                "slow", "-movflags", "+faststart", "-f", "mp4"};
    const char *const vp9[] = {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-f", "webm"};
    const char *arguments[40] = {"ffmpeg",     "-y",
                                 "-loglevel",  "error",
                                 "-f",         "image2pipe",
                                 "-framerate", rate,
                                 "-c:v",       "png",
                                 "-i",         "-",
                                 "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                 "-pix_fmt",   "yuv420p",
                                 "-metadata",  "comment=" MADE_BY_SCREE};
    int count = 18;
    for (int k = 0; k < 10; ++k) arguments[count++] = output_name_is_webm(path) ? vp9[k] : h264[k];
    arguments[count++] = file;

    int ends[2];
    *pipe_end = -1;
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0) return scr_fail(error, SCR_IO, "%s: no pipe to ffmpeg: %s", path, strerror(errno));
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);  // or ffmpeg would never see its end
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    int failure = posix_spawnp(pid, "ffmpeg", &actions, NULL, (char *const *)(void *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    *pipe_end = ends[1];
    if (failure == 0) return SCR_OK;
    close(ends[1]);
    return scr_fail(error, SCR_IO, "%s: ffmpeg cannot be started: %s", path, strerror(failure));
}

scr_status movie_write(const char *path, const movie_pictures *pictures, int frames_per_second, scr_error *error)
{
    static const char PROTOCOL[] = "file:";
    char temporary[PATH_LENGTH_MAX], picture[PATH_LENGTH_MAX], file[PATH_LENGTH_MAX + sizeof PROTOCOL];
    int pipe_end = -1, code = 0;
    pid_t pid;
    scr_status status = file_begin(path, temporary, error);
    if (status != SCR_OK) return status;
    snprintf(file, sizeof file, "%s%s", PROTOCOL, temporary);
    status = start_ffmpeg(path, file, frames_per_second, &pipe_end, &pid, error);
    if (status != SCR_OK) {
        file_abandon(path);
        return status;
    }
    bool sent = true;
    for (int64_t k = 0; k < pictures->count && sent; ++k) {
        pictures->path_of(pictures->context, k, picture, sizeof picture);
        sent = send(pipe_end, picture);
    }
    close(pipe_end);
    while (waitpid(pid, &code, 0) < 0 && errno == EINTR) continue;
    if (sent && WIFEXITED(code) && WEXITSTATUS(code) == 0) return file_commit(path, error);
    file_abandon(path);
    return scr_fail(error, SCR_IO, "%s: ffmpeg could not make the movie; the pictures are there", path);
}
