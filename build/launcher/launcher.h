/* The single file: this program, and behind it the standalone folder as one compressed archive. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROGRAM "kcp-agent" /* its name in messages, of the file to run, and of the folder in the cache */
#define EXIT_COULD_NOT 3    /* the program's code for "could not do it": never 0, 1 or 2 */
#define LONGEST 4096        /* bytes of a path */

/* One file or folder of the archive. Folders come before what is in them. */
struct item {
    const char *name; /* relative, without `..` */
    uint64_t size;
    mode_t mode; /* exactly what the unpacked item has; S_IFDIR or S_IFREG and permissions */
};

struct archive {
    int file;
    off_t payload_at;
    uint64_t payload_size;
    uint8_t payload_sha256[32];
    uint64_t unpacked_size;
    int64_t modified; /* seconds: the modification time of every unpacked file */
    struct item *items;
    uint32_t count;
    char entry[80]; /* the folder's name in a cache: version and content hash */
};

/* archive.c: find the archive behind this program. On failure one line says why and the process ends. */
void open_archive(struct archive *archive);

/* place.c: a folder that is ours alone to write, with nobody else able to move it from under us. */
struct place {
    int folder;
    char path[LONGEST];
};
/* Sets `why` and returns false where the place does not serve. */
bool open_cache(struct place *place, char *why, size_t room);
bool open_temporary(struct place *place, const char *parent, char *why, size_t room);

/* entry.c: the unpacked folder within a place. */
bool is_whole(const struct place *place, const struct archive *archive);
bool make_entry(const struct place *place, const struct archive *archive, char *why, size_t room);

/* unpack.c: write the archive's files into an empty folder, all durable and verified, or say why not. */
bool unpack(const struct archive *archive, int folder, char *why, size_t room);

/* tell.c */
void tell(const char *form, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void give_up(const char *form, ...) __attribute__((format(printf, 1, 2)));
void explain(char *why, size_t room, const char *form, ...) __attribute__((format(printf, 3, 4)));

#endif
