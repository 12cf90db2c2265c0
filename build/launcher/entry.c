/* The unpacked program in a place: is it whole, and if not, put a whole one there in one step. */
#include "launcher.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WAIT_AT_MOST 30       /* seconds for another start that is unpacking */
#define ABANDONED_AFTER 600   /* seconds until an unfinished folder counts as left behind */
#define DEEPEST 8
#define FRESH ".new-"         /* unfinished folders, and damaged ones on their way out */

/* Whether all is there as it was written: kinds, owners, permissions, sizes, times. That finds what a crash,
   a cleaner or a careless hand does. It reads no contents: 30 MB at every start would cost more than they run. */
bool is_whole(const struct place *place, const struct archive *archive) {
    struct stat stat;
    int folder = openat(place->folder, archive->entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return false;
    bool whole = !fstat(folder, &stat) && stat.st_uid == geteuid() && (stat.st_mode & 07777) == 0700;
    for (uint32_t i = 0; whole && i < archive->count; i++) {
        const struct item *item = &archive->items[i];
        whole = !fstatat(folder, item->name, &stat, AT_SYMLINK_NOFOLLOW) && stat.st_mode == item->mode &&
                stat.st_uid == geteuid() &&
                (S_ISDIR(item->mode) || ((uint64_t)stat.st_size == item->size &&
                                         stat.st_mtim.tv_sec == archive->modified));
    }
    close(folder);
    return whole;
}

static void remove_tree(int parent, const char *name, int depth) {
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    DIR *list = fdopendir(folder);
    if (!list) {
        close(folder);
        return;
    }
    for (struct dirent *each; (each = readdir(list));) {
        if (!strcmp(each->d_name, ".") || !strcmp(each->d_name, "..")) continue;
        if (unlinkat(folder, each->d_name, 0) && depth < DEEPEST) remove_tree(folder, each->d_name, depth + 1);
    }
    closedir(list);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Folders of starts that were killed. Those of starts still at work are younger. */
static void remove_abandoned(int place) {
    int copy = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) return;
    struct stat stat;
    for (struct dirent *each; (each = readdir(list));)
        if (!strncmp(each->d_name, FRESH, strlen(FRESH)) && !fstatat(place, each->d_name, &stat, 0) &&
            time(NULL) - stat.st_ctime > ABANDONED_AFTER)
            remove_tree(place, each->d_name, 0);
    closedir(list);
}

/* Put `fresh` where the entry belongs. True also when another start has just put a whole one there. */
static bool publish(const struct place *place, const struct archive *archive, const char *fresh) {
    for (int attempt = 0; attempt < 8; attempt++) {
        if (!renameat(place->folder, fresh, place->folder, archive->entry)) {
            fsync(place->folder);
            return true;
        }
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) return false;
        if (is_whole(place, archive)) return true;
        /* A damaged one steps aside under a name of unfinished folders, and goes. */
        char aside[80];
        snprintf(aside, sizeof aside, "%s-%d", fresh, attempt);
        if (!renameat(place->folder, archive->entry, place->folder, aside)) {
            unlinkat(place->folder, aside, 0);
            remove_tree(place->folder, aside, 0);
        }
    }
    return false;
}

static bool make_fresh(const struct place *place, char *name, size_t room, int *folder) {
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t chance = 0;
        if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) < 0) chance = (uint64_t)getpid() << 8 | (unsigned)attempt;
        snprintf(name, room, FRESH "%016llx", (unsigned long long)chance);
        if (mkdirat(place->folder, name, 0700)) {
            if (errno == EEXIST) continue;
            return false;
        }
        *folder = openat(place->folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return *folder >= 0 && !fchmod(*folder, 0700);
    }
    return false;
}

/* One start unpacks, the others wait for it. What comes of it does not depend on the lock: where it is not to
   be had, two unpack side by side and the first to finish counts. */
static int take_turn(const struct place *place, const struct archive *archive) {
    int lock = openat(place->folder, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct timespec pause = {.tv_nsec = 5000000};
    for (int left = WAIT_AT_MOST * 200; lock >= 0 && left > 0; left--) {
        if (!flock(lock, LOCK_EX | LOCK_NB) || (errno != EWOULDBLOCK && errno != EINTR)) break;
        if (is_whole(place, archive)) break;
        nanosleep(&pause, NULL);
    }
    return lock;
}

bool make_entry(const struct place *place, const struct archive *archive, char *why, size_t room) {
    int lock = take_turn(place, archive), folder = -1;
    bool good = is_whole(place, archive);
    if (!good) {
        remove_abandoned(place->folder);
        /* An interrupt comes after the unfinished folder is gone, and then ends the process as always. */
        sigset_t ends, before;
        sigemptyset(&ends);
        sigaddset(&ends, SIGINT), sigaddset(&ends, SIGTERM), sigaddset(&ends, SIGHUP), sigaddset(&ends, SIGQUIT);
        sigprocmask(SIG_BLOCK, &ends, &before);
        char fresh[40], reason[256] = "";
        good = make_fresh(place, fresh, sizeof fresh, &folder);
        if (!good) explain(reason, sizeof reason, "%s", strerror(errno));
        bool damaged = false;
        if (good && !unpack(archive, folder, reason, sizeof reason)) good = false, damaged = errno == EBADMSG;
        if (good && !publish(place, archive, fresh)) {
            explain(reason, sizeof reason, "%s", strerror(errno));
            good = false;
        }
        remove_tree(place->folder, fresh, 0); /* there only when it was not published */
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (damaged) give_up("this file is damaged (its contents are not what they were); download it again");
        if (!good) explain(why, room, "%s: %s", place->path, reason);
    }
    if (folder >= 0) close(folder);
    if (lock >= 0) close(lock);
    return good;
}
