/* What must be so before the program's own start-up, which would look no further. */
#ifdef __linux__
#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static void give_up(const char *line) {
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    _exit(3);
}

static int is_locale(const char *name) {
    locale_t found = newlocale(LC_CTYPE_MASK, name, (locale_t)0);
    if (found) freelocale(found);
    return found != (locale_t)0;
}

/* It finds itself through /proc, and reads its own path by the locale, or by C.UTF-8 where that cannot: it would
   abort without a word where one is missing. In the locale C it takes text for UTF-8 without asking any locale. */
static void find_itself(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length < 0) give_up("kcp-agent: needs /proc, which is not mounted here\n");
    if (is_locale("C.UTF-8")) return;
    if (!is_locale("")) setenv("LC_ALL", "C", 1);
    for (ssize_t i = 0; i < length; i++)
        if (path[i] & 0x80) give_up("kcp-agent: needs the locale C.UTF-8 to run from a path that is not ASCII\n");
}

/* Variables that steer a Python are meant for the user's Python, not for the one within. */
static void forget_settings_of_python(void) {
    char **kept = environ;
    for (char **each = environ; each && *each; each++)
        if (strncmp(*each, "PYTHON", 6) != 0 && strncmp(*each, "NUITKA", 6) != 0) *kept++ = *each;
    if (kept) *kept = NULL;
}

/* An interrupt while the interpreter starts would end in a traceback and exit code 1. It waits until entry.py is
   ready for it. */
static void hold_interrupts(void) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, NULL);
}

__attribute__((constructor)) static void before_main(void) {
    hold_interrupts();
    find_itself();
    forget_settings_of_python();
}
#endif
