/* Messages: one line each on standard error. */
#include "launcher.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void tell_list(const char *form, va_list values) {
    static char line[4 * LONGEST];
    int head = snprintf(line, sizeof line, "%s: ", PROGRAM);
    int body = vsnprintf(line + head, sizeof line - (size_t)head - 1, form, values);
    size_t length = (size_t)head + (body < 0 ? 0 : (size_t)body);
    if (length > sizeof line - 2) length = sizeof line - 2;
    /* A path may hold anything; a message stays one line and moves no cursor. */
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f) line[i] = '?';
    line[length++] = '\n';
    for (size_t done = 0; done < length;) {
        ssize_t step = write(STDERR_FILENO, line + done, length - done);
        if (step <= 0) break;
        done += (size_t)step;
    }
}

void tell(const char *form, ...) {
    va_list values;
    va_start(values, form);
    tell_list(form, values);
    va_end(values);
}

_Noreturn void give_up(const char *form, ...) {
    va_list values;
    va_start(values, form);
    tell_list(form, values);
    va_end(values);
    _exit(EXIT_COULD_NOT);
}

void explain(char *why, size_t room, const char *form, ...) {
    va_list values;
    va_start(values, form);
    vsnprintf(why, room, form, values);
    va_end(values);
}
