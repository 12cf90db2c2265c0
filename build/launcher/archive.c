/* Find the archive behind this program and read its index.

   launcher | payload (one zstd frame: all files, one after the other) | index | footer
   footer:  magic[16], payload size u64, index size u64, sha256 of the index[32]
   index:   sha256 of the payload[32], unpacked size u64, modification time i64, count u32, version[32],
            then for each item: mode u32, size u64, length of the name u16, the name
   All numbers little-endian. scripts/lib/single_file.py writes it. */
#include "launcher.h"
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "kcp-agent/file/1"
#define FOOTER 64
#define HEAD 84
#define MOST_INDEX (1 << 20)
#define DAMAGED "this file is damaged (%s); download it again"

static uint64_t number(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    while (bytes--) value = value << 8 | at[bytes];
    return value;
}

static bool read_all(int file, void *into, size_t count, off_t at) {
    while (count) {
        ssize_t step = pread(file, into, count, at);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) return false;
        into = (char *)into + step, count -= (size_t)step, at += step;
    }
    return true;
}

static bool is_plain(const char *name, size_t length) {
    if (!length || strlen(name) != length || length >= 1024) return false;
    for (const char *part = name; part;) { /* no empty part, no `.`, no `..` */
        size_t long_ = strcspn(part, "/");
        if (!long_ || (part[0] == '.' && (long_ == 1 || (long_ == 2 && part[1] == '.')))) return false;
        part = part[long_] ? part + long_ + 1 : NULL;
    }
    return true;
}

/* The items, each name with a zero behind it in memory of its own; false when the bytes do not add up. */
static bool read_items(struct archive *archive, const uint8_t *at, size_t left) {
    uint64_t total = 0;
    archive->items = calloc(archive->count, sizeof *archive->items);
    char *names = malloc(left + archive->count);
    if (!archive->items || !names) give_up("out of memory");
    for (uint32_t i = 0; i < archive->count; i++) {
        struct item *item = &archive->items[i];
        if (left < 14) return false;
        size_t length = number(at + 12, 2);
        item->mode = (mode_t)number(at, 4);
        item->size = number(at + 4, 8);
        if (left - 14 < length) return false;
        memcpy(names, at + 14, length);
        names[length] = 0;
        item->name = names;
        names += length + 1, at += 14 + length, left -= 14 + length;
        if (!is_plain(item->name, length) || !(S_ISDIR(item->mode) || S_ISREG(item->mode))) return false;
        if (item->size > archive->unpacked_size - total) return false;
        total += item->size;
    }
    return !left && total == archive->unpacked_size;
}

void open_archive(struct archive *archive) {
    archive->file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (archive->file < 0) {
        if (errno == ENOENT) give_up("needs /proc, which is not mounted here");
        give_up("cannot read its own file: %s", strerror(errno));
    }
    struct stat stat;
    if (fstat(archive->file, &stat)) give_up("cannot read its own file: %s", strerror(errno));
    uint8_t footer[FOOTER];
    uint64_t size = (uint64_t)stat.st_size;
    if (size < FOOTER || !read_all(archive->file, footer, FOOTER, stat.st_size - FOOTER) ||
        memcmp(footer, MAGIC, 16) != 0)
        give_up(DAMAGED, "its end is missing");
    uint64_t index_size = number(footer + 24, 8);
    archive->payload_size = number(footer + 16, 8);
    if (index_size < HEAD || index_size > MOST_INDEX || archive->payload_size > size ||
        archive->payload_size + index_size + FOOTER > size)
        give_up(DAMAGED, "its sizes do not fit");
    uint8_t *index = malloc(index_size);
    if (!index) give_up("out of memory");
    off_t index_at = stat.st_size - FOOTER - (off_t)index_size;
    archive->payload_at = index_at - (off_t)archive->payload_size;
    if (!read_all(archive->file, index, index_size, index_at)) give_up("cannot read its own file");
    struct sha256 hash;
    uint8_t digest[32];
    sha256_start(&hash);
    sha256_add(&hash, index, index_size);
    sha256_end(&hash, digest);
    if (memcmp(digest, footer + 32, 32) != 0) give_up(DAMAGED, "its list of files is not what it was");
    memcpy(archive->payload_sha256, index, 32);
    archive->unpacked_size = number(index + 32, 8);
    archive->modified = (int64_t)number(index + 40, 8);
    archive->count = (uint32_t)number(index + 48, 4);
    if (archive->count > MOST_INDEX / 14 || !read_items(archive, index + HEAD, index_size - HEAD))
        give_up(DAMAGED, "its list of files makes no sense");
    char *end = archive->entry + snprintf(archive->entry, 40, "%.31s-", (const char *)index + 52);
    if (strchr(archive->entry, '/') || archive->entry[0] == '.') give_up(DAMAGED, "its version");
    for (int i = 0; i < 16; i++) end += sprintf(end, "%02x", digest[i]);
    free(index);
}
