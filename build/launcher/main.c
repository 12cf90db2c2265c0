/* Unpack once, then become the program: no parent stays, so exit codes and signals need nobody to pass them on. */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* A message or an opened file must not end up in the place of a closed standard stream. They are closed again
   in the program. */
static void guard_streams(void) {
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", (stream ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/* Returns only when the program could not be run. */
static void run(const struct place *place, const struct archive *archive, char **argv, char *why, size_t room) {
    char path[LONGEST + 128];
    snprintf(path, sizeof path, "%s/%s/%s", place->path, archive->entry, PROGRAM);
    execv(path, argv);
    if (errno == ENOENT && !access(path, X_OK))
        give_up("needs the GNU C library, whose program loader (ld-linux) is not on this system");
    explain(why, room, "%s: %s", path, strerror(errno));
}

int main(int argc, char **argv) {
    (void)argc;
    static struct archive archive;
    static char why[6][LONGEST];
    guard_streams();
    open_archive(&archive);
    /* With more rights than its user's, the environment is not to be believed. */
    bool trusted = !getauxval(AT_SECURE);
    const char *temporary[] = {trusted ? getenv("TMPDIR") : NULL, "/tmp", "/var/tmp", "/dev/shm"};
    const char *debug = getenv("KCP_DEBUG");
    int tried = 0;
    for (int i = 0; i < 5; i++) {
        struct place place;
        char *reason = why[tried];
        bool open;
        if (i == 0) {
            if (!trusted) continue;
            open = open_cache(&place, reason, LONGEST);
        } else {
            const char *parent = temporary[i - 1];
            if (!parent || parent[0] != '/' || (i == 2 && temporary[0] && !strcmp(parent, temporary[0]))) continue;
            open = open_temporary(&place, parent, reason, LONGEST);
        }
        if (open && (is_whole(&place, &archive) || make_entry(&place, &archive, reason, LONGEST)))
            run(&place, &archive, argv, reason, LONGEST);
        if (debug && !strcmp(debug, "1")) tell("not unpacked there: %s", reason);
        if (open) close(place.folder);
        tried++;
    }
    static char all[6 * LONGEST];
    for (int i = 0; i < tried; i++) {
        strncat(all, i ? "; " : "", sizeof all - strlen(all) - 1);
        strncat(all, why[i], sizeof all - strlen(all) - 1);
    }
    give_up("nowhere to unpack itself: %s. Set XDG_CACHE_HOME to a folder of yours, or use the folder archive", all);
}
