/* Where the unpacked program may lie: only where nobody but its user, or root, could put another in its stead. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Whether nobody but us and root can rename or replace `path` or what lies directly above it. A folder that
   anyone may write is fine on the way when it is sticky, as /tmp is: what is ours in it stays ours. */
static bool is_safe_level(const char *path, char *why, size_t room) {
    struct stat stat;
    if (lstat(path, &stat)) {
        explain(why, room, "%s: %s", path, strerror(errno));
        return false;
    }
    if (stat.st_uid != geteuid() && stat.st_uid != 0) {
        explain(why, room, "%s belongs to another user", path);
        return false;
    }
    if (stat.st_mode & (S_IWGRP | S_IWOTH) && !(stat.st_mode & S_ISVTX)) {
        explain(why, room, "others may write to %s", path);
        return false;
    }
    return true;
}

/* Every level of an absolute path without links, from the root down. */
static bool is_safe(const char *path, char *why, size_t room) {
    char level[LONGEST];
    if (!is_safe_level("/", why, room)) return false;
    for (size_t end = 1; path[end];) {
        end += strcspn(path + end, "/");
        memcpy(level, path, end);
        level[end] = 0;
        if (!is_safe_level(level, why, room)) return false;
        if (path[end]) end++;
    }
    return true;
}

/* The folder `name` in `parent`, made if it is missing; ours, and closed to others' writing. */
static bool open_own(struct place *place, const char *parent, const char *name, char *why, size_t room) {
    char real[PATH_MAX];
    if (!realpath(parent, real)) {
        explain(why, room, "%s: %s", parent, strerror(errno));
        return false;
    }
    if (!is_safe(real, why, room)) return false;
    if (snprintf(place->path, LONGEST, "%s/%s", strcmp(real, "/") ? real : "", name) >= LONGEST - 256) {
        explain(why, room, "%s: path too long", parent);
        return false;
    }
    if (mkdir(place->path, 0700) && errno != EEXIST) {
        explain(why, room, "%s: %s", place->path, strerror(errno));
        return false;
    }
    place->folder = open(place->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat stat;
    struct statvfs system;
    if (place->folder < 0 || fstat(place->folder, &stat) || fstatvfs(place->folder, &system)) {
        explain(why, room, "%s: %s", place->path, strerror(errno));
    } else if (stat.st_uid != geteuid()) {
        explain(why, room, "%s belongs to another user", place->path);
    } else if (stat.st_mode & (S_IWGRP | S_IWOTH)) {
        explain(why, room, "others may write to %s", place->path);
    } else if (system.f_flag & ST_NOEXEC) {
        explain(why, room, "%s is on a disk that runs no programs (noexec)", place->path);
    } else {
        return true;
    }
    if (place->folder >= 0) close(place->folder);
    return false;
}

bool open_cache(struct place *place, char *why, size_t room) {
    char cache[LONGEST];
    const char *named = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (named && named[0] == '/') {
        length = snprintf(cache, sizeof cache, "%s", named);
    } else if (home && home[0] == '/') {
        length = snprintf(cache, sizeof cache, "%s/.cache", home);
    } else {
        explain(why, room, "neither XDG_CACHE_HOME nor HOME names a folder");
        return false;
    }
    if (length >= (int)sizeof cache) {
        explain(why, room, "the cache's path is too long");
        return false;
    }
    mkdir(cache, 0700); /* where that fails, what follows says why */
    return open_own(place, cache, PROGRAM, why, room);
}

bool open_temporary(struct place *place, const char *parent, char *why, size_t room) {
    char name[64];
    snprintf(name, sizeof name, "%s-%lu", PROGRAM, (unsigned long)geteuid());
    return open_own(place, parent, name, why, room);
}
