/* Write the archive's files into an empty folder. */
#include "launcher.h"
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define WINDOW_LOG_MOST 24 /* memory for unpacking: 16 MB */
#define PIECE (1 << 17)

/* The stream of unpacked bytes. */
struct source {
    const struct archive *archive;
    ZSTD_DCtx *decoder;
    struct sha256 hash;
    uint64_t taken; /* of the payload */
    ZSTD_inBuffer in;
    bool ended; /* the frame is complete */
    uint8_t packed[PIECE];
};

/* Up to `count` bytes; 0 at the end of the archive; -1 with errno, EBADMSG for damage. */
static ssize_t next(struct source *source, uint8_t *into, size_t count) {
    ZSTD_outBuffer out = {into, count, 0};
    while (!out.pos && !source->ended) {
        if (source->in.pos == source->in.size) {
            uint64_t left = source->archive->payload_size - source->taken;
            ssize_t got = pread(source->archive->file, source->packed, left < PIECE ? left : PIECE,
                                source->archive->payload_at + (off_t)source->taken);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return -1;
            if (got == 0) break;
            sha256_add(&source->hash, source->packed, (size_t)got);
            source->taken += (uint64_t)got;
            source->in = (ZSTD_inBuffer){source->packed, (size_t)got, 0};
        }
        size_t hint = ZSTD_decompressStream(source->decoder, &out, &source->in);
        if (ZSTD_isError(hint)) {
            errno = EBADMSG;
            return -1;
        }
        source->ended = hint == 0;
    }
    return (ssize_t)out.pos;
}

static bool write_all(int file, const uint8_t *bytes, size_t count) {
    while (count) {
        ssize_t step = write(file, bytes, count);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) return false;
        bytes += step, count -= (size_t)step;
    }
    return true;
}

static bool write_file(struct source *source, int folder, const struct item *item) {
    static uint8_t piece[PIECE];
    int file = openat(folder, item->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return false;
    bool good = true;
    for (uint64_t left = item->size; good && left;) {
        ssize_t got = next(source, piece, left < PIECE ? left : PIECE);
        if (got == 0) errno = EBADMSG;
        good = got > 0 && write_all(file, piece, (size_t)got);
        left -= good ? (uint64_t)got : 0;
    }
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = source->archive->modified}};
    good = good && !fchmod(file, item->mode & 07777) && !futimens(file, times);
    int error = errno;
    if (close(file) && good) return false;
    errno = error;
    return good;
}

/* After a crash the folder is there with all its bytes, or not there. */
static bool make_durable(const struct archive *archive, int folder) {
    for (uint32_t i = 0; i < archive->count; i++) {
        int file = openat(folder, archive->items[i].name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) return false;
        bool good = !fsync(file) || errno == EINVAL || errno == ENOSYS;
        close(file);
        if (!good) return false;
    }
    return !fsync(folder) || errno == EINVAL || errno == ENOSYS;
}

/* Whether a signal waits that would end this process: then it should, without what it was about to do. */
static bool is_asked_to_stop(void) {
    sigset_t waiting;
    return !sigpending(&waiting) && (sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) ||
                                     sigismember(&waiting, SIGHUP) || sigismember(&waiting, SIGQUIT));
}

static bool write_files(struct source *source, int folder) {
    const struct archive *archive = source->archive;
    for (uint32_t i = 0; i < archive->count; i++) {
        const struct item *item = &archive->items[i];
        if (is_asked_to_stop()) {
            errno = EINTR;
            return false;
        }
        if (S_ISDIR(item->mode)) {
            if (mkdirat(folder, item->name, 0700) || fchmodat(folder, item->name, item->mode & 07777, 0))
                return false;
        } else if (!write_file(source, folder, item)) {
            return false;
        }
    }
    uint8_t beyond, digest[32];
    ssize_t more = next(source, &beyond, 1);
    if (more < 0) return false;
    sha256_end(&source->hash, digest);
    if (more || !source->ended || source->taken != archive->payload_size ||
        memcmp(digest, archive->payload_sha256, 32) != 0) {
        errno = EBADMSG;
        return false;
    }
    return make_durable(archive, folder);
}

bool unpack(const struct archive *archive, int folder, char *why, size_t room) {
    struct source *source = calloc(1, sizeof *source);
    if (source) source->decoder = ZSTD_createDCtx();
    if (!source || !source->decoder) give_up("out of memory");
    source->archive = archive;
    sha256_start(&source->hash);
    ZSTD_DCtx_setParameter(source->decoder, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
    bool good = write_files(source, folder);
    if (!good) explain(why, room, "%s", errno == EBADMSG ? "damaged" : strerror(errno));
    int error = errno;
    ZSTD_freeDCtx(source->decoder);
    free(source);
    errno = error;
    return good;
}
