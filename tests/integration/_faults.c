// Makes a program's calls of the system fail, or kills it before one that others can see.
//   FAULTS_IN=NAME      in all processes of programs named so, or that begin so: NAME*; without it in gate's
//   worker
//                       alone: the last of three processes, one below the other, that run the same program
//   CALLS_LOG=FILE      a line for each call is added to it: NUMBER KIND NUMBER-OF-KIND CALL WHAT, where the
//   first is 0
//                       of calls that nobody sees
//   KILL_AT=N           before the N-th call that others can see; 0: never
//   FAIL_AT=N           the N-th call of a kind fails; N+: that one and all behind it
//   FAIL_WHAT=GLOB      counts those alone that CALLS_LOG would tell so: `CALL WHAT`
//   FAIL_CALL=KIND      write, sync, name, make, open, look (stat), start, map, read (of a file), receive
//   (from a
//                       socket), pipe (read of anything else), close; memory (malloc), which is no line of
//                       CALLS_LOG, and is counted where it is asked for
//   FAIL_ERRNO=NAME     as errno(3) has it; SHORT: half of it is written. close fails late: it is closed, and
//   what was not
//                       synced is lost
//   CALLS_COUNT=FILE    of 4096 zero bytes: all processes count together; without it each counts its own
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE, SYNC, NAME, MAKE, OPEN_, LOOK, START, MAP, READ, RECEIVE, PIPE, CLOSE, MEMORY, OTHER, KINDS };
static const char* const kinds[] = {"write", "sync", "name",    "make", "open",  "look",   "start",
                                    "map",   "read", "receive", "pipe", "close", "memory", "other"};
enum { SHORT = 1000 };
static const struct {
  const char* name;
  int number;
} errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE},
              {"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM},
              {"EINTR", EINTR},   {"EROFS", EROFS},   {"ECONNRESET", ECONNRESET},
              {"SHORT", SHORT}};

static _Atomic long own_counts[KINDS + 2], *counts = own_counts;
static char is_synced[4096];

static int open_plainly(const char* path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666);
}

// Tell whether the process runs the same program as this one.
static int is_gate(pid_t pid) {
  char path[64], own[512], other[512];
  snprintf(path, sizeof path, "/proc/%d/exe", pid);
  const long mine = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", own, sizeof own);
  return mine > 0 && syscall(SYS_readlinkat, AT_FDCWD, path, other, sizeof other) == mine &&
         memcmp(own, other, (size_t)mine) == 0;
}

static pid_t parent_of(pid_t pid) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int fd = open_plainly(path, O_RDONLY);
  if (fd < 0) return 0;
  const long size = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  const char* end = size > 0 ? strrchr(text, ')') : NULL;
  return end ? (pid_t)atoi(end + 4) : 0;
}

static int is_worker(void) {
  static _Atomic pid_t looked_at, worker;
  const pid_t self = getpid();
  if (atomic_exchange(&looked_at, self) != self && worker == 0) {
    const pid_t guard = parent_of(self);
    if (is_gate(guard) && is_gate(parent_of(guard))) worker = self;
  }
  return worker == self;
}

static int is_named(void) {
  static char program[512];
  const char* pattern = getenv("FAULTS_IN");
  if (!program[0] && syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program, sizeof program - 1) <= 0)
    return 0;
  const size_t same = strcspn(pattern, "*");
  const char* name = strrchr(program, '/') + 1;
  return strncmp(name, pattern, same) == 0 && (pattern[same] == '*' || name[same] == 0);
}

static int is_meant(void) { return getenv("FAULTS_IN") ? is_named() : is_worker(); }

__attribute__((constructor)) static void count_together(void) {
  const char* file = getenv("CALLS_COUNT");
  const int fd = file ? open_plainly(file, O_RDWR) : -1;
  if (fd < 0) return;
  const long shared = syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared > 0) counts = (_Atomic long*)shared;
  syscall(SYS_close, fd);
}

static int error_named(const char* name) {
  for (size_t i = 0; name && i < sizeof errors / sizeof *errors; ++i)
    if (strcmp(errors[i].name, name) == 0) return errors[i].number;
  return EIO;
}

static int is_told_so(const char* glob, const char* call, const char* what) {
  char words[512];
  snprintf(words, sizeof words, "%s %s", call, what ? what : "");
  return fnmatch(glob, words, 0) == 0;
}

// Returns the errno with which the call is to fail; 0 where it is not.
static int fault(int kind, const char* call, const char* what, int is_visible) {
  if (!is_meant()) return 0;
  const char *kill_at = getenv("KILL_AT"), *fail_at = getenv("FAIL_AT"), *fails = getenv("FAIL_CALL");
  const char* log = getenv("CALLS_LOG");
  const long number = is_visible ? ++counts[KINDS] : 0, of_kind = ++counts[kind];
  if (log && kind != MEMORY) {
    char line[512];
    const int size = snprintf(line, sizeof line, "%ld %s %ld %s %s\n", number, kinds[kind], of_kind, call,
                              what ? what : "");
    const int fd = open_plainly(log, O_WRONLY | O_CREAT | O_APPEND);
    syscall(SYS_write, fd, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
    syscall(SYS_close, fd);
  }
  if (kill_at && is_visible && atol(kill_at) == number) kill(getpid(), SIGKILL);
  if (!fail_at || !fails || strcmp(fails, kinds[kind]) != 0) return 0;
  const char* only = getenv("FAIL_WHAT");
  if (only && !is_told_so(only, call, what)) return 0;
  const long nth = only ? ++counts[KINDS + 1] : of_kind;
  const int is_it = strchr(fail_at, '+') ? nth >= atol(fail_at) : nth == atol(fail_at);
  return is_it ? error_named(getenv("FAIL_ERRNO")) : 0;
}

#define NEXT(type, name, parameters) \
  static type(*next) parameters;     \
  if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name)

#define CALL(kind, is_visible, type, name, what, parameters, arguments) \
  type name parameters {                                                \
    NEXT(type, name, parameters);                                       \
    const int error = fault(kind, #name, what, is_visible);             \
    if (error == 0 || error == SHORT) return next arguments;            \
    errno = error;                                                      \
    return (type)-1;                                                    \
  }

#define WRITES(name, parameters, whole, half)       \
  ssize_t name parameters {                         \
    NEXT(ssize_t, name, parameters);                \
    const int error = fault(WRITE, #name, NULL, 1); \
    if (error == 0) return next whole;              \
    if (error == SHORT) return next half;           \
    errno = error;                                  \
    return -1;                                      \
  }
WRITES(write, (int fd, const void* text, size_t size), (fd, text, size), (fd, text, (size + 1) / 2))
WRITES(writev, (int fd, const struct iovec* parts, int count), (fd, parts, count),
       (fd, parts, (count + 1) / 2))
WRITES(pwrite, (int fd, const void* text, size_t size, off_t at), (fd, text, size, at),
       (fd, text, (size + 1) / 2, at))
WRITES(pwrite64, (int fd, const void* text, size_t size, off64_t at), (fd, text, size, at),
       (fd, text, (size + 1) / 2, at))
WRITES(send, (int fd, const void* text, size_t size, int flags), (fd, text, size, flags),
       (fd, text, (size + 1) / 2, flags))

static int note_synced(int fd, int yes) {
  if (fd >= 0 && fd < (int)sizeof is_synced) is_synced[fd] = (char)yes;
  return fd;
}
CALL(SYNC, 1, int, fsync, NULL, (int fd), (note_synced(fd, 1)))
CALL(SYNC, 1, int, fdatasync, NULL, (int fd), (note_synced(fd, 1)))
CALL(WRITE, 1, int, ftruncate, NULL, (int fd, off_t size), (fd, size))
CALL(WRITE, 1, int, ftruncate64, NULL, (int fd, off64_t size), (fd, size))
CALL(OTHER, 1, int, flock, NULL, (int fd, int kind), (fd, kind))
CALL(NAME, 1, int, rename, to, (const char* from, const char* to), (from, to))
CALL(NAME, 1, int, renameat2, to, (int a, const char* from, int b, const char* to, unsigned flags),
     (a, from, b, to, flags))
CALL(NAME, 1, int, unlink, path, (const char* path), (path))
CALL(NAME, 1, int, unlinkat, path, (int folder, const char* path, int flags), (folder, path, flags))
CALL(NAME, 1, int, remove, path, (const char* path), (path))
CALL(NAME, 1, int, rmdir, path, (const char* path), (path))
CALL(NAME, 1, int, mkdir, path, (const char* path, mode_t mode), (path, mode))
CALL(NAME, 1, int, symlink, path, (const char* target, const char* path), (target, path))
CALL(NAME, 1, int, link, to, (const char* from, const char* to), (from, to))
CALL(START, 1, pid_t, fork, NULL, (void), ())
CALL(START, 1, int, clone, NULL, (int (*run)(void*), void* stack, int flags, void* it, ...),
     (run, stack, flags, it))
CALL(START, 0, int, execve, path, (const char* path, char* const argv[], char* const env[]),
     (path, argv, env))
CALL(START, 0, int, execv, path, (const char* path, char* const argv[]), (path, argv))
// What the kernel makes up has no disk that could fail.
static int kind_of_look(const char* path) { return strncmp(path, "/proc/", 6) == 0 ? OTHER : LOOK; }
CALL(kind_of_look(path), 0, int, stat, path, (const char* path, struct stat* facts), (path, facts))
CALL(kind_of_look(path), 0, int, lstat, path, (const char* path, struct stat* facts), (path, facts))
CALL(kind_of_look(path), 0, int, fstatat, path, (int folder, const char* path, struct stat* facts, int flags),
     (folder, path, facts, flags))

static int kind_of_read(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return PIPE;
  return S_ISREG(info.st_mode) ? READ : S_ISSOCK(info.st_mode) ? RECEIVE : PIPE;
}
CALL(kind_of_read(fd), 0, ssize_t, read, NULL, (int fd, void* text, size_t size), (fd, text, size))
CALL(READ, 0, ssize_t, pread, NULL, (int fd, void* text, size_t size, off_t at), (fd, text, size, at))
CALL(READ, 0, ssize_t, pread64, NULL, (int fd, void* text, size_t size, off64_t at), (fd, text, size, at))
CALL(RECEIVE, 0, ssize_t, recv, NULL, (int fd, void* text, size_t size, int flags), (fd, text, size, flags))

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with) {
  NEXT(int, pthread_create, (pthread_t*, const pthread_attr_t*, void* (*)(void*), void*));
  const int error = fault(START, "pthread_create", NULL, 0);
  return error ? error : next(thread, attributes, run, with);
}

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const argv[], char* const env[]) {
  NEXT(int, posix_spawn,
       (pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[],
        char* const[]));
  const int error = fault(START, "posix_spawn", path, 0);
  return error ? error : next(pid, path, actions, attributes, argv, env);
}

void* __libc_malloc(size_t size);

void* malloc(size_t size) {
  static int is_asked = -1;
  if (is_asked < 0) {
    const char* fails = getenv("FAIL_CALL");
    is_asked = fails && strcmp(fails, kinds[MEMORY]) == 0;
  }
  const int error = is_asked ? fault(MEMORY, "malloc", NULL, 0) : 0;
  if (error == 0) return __libc_malloc(size);
  errno = error;
  return NULL;
}

// Of files only, and what is shared: malloc has its own.
#define MAPS(name, offset)                                                            \
  void* name(void* at, size_t size, int protection, int flags, int fd, offset from) { \
    NEXT(void*, name, (void*, size_t, int, int, int, offset));                        \
    const int is_meant_here = fd >= 0 || (flags & MAP_SHARED) != 0;                   \
    const int error = is_meant_here ? fault(MAP, #name, NULL, 0) : 0;                 \
    if (error == 0) return next(at, size, protection, flags, fd, from);               \
    errno = error;                                                                    \
    return MAP_FAILED;                                                                \
  }
MAPS(mmap, off_t)
MAPS(mmap64, off64_t)

// What is still on its way is lost: a file that was written and not synced is empty.
static void lose(int fd) {
  struct stat info;
  const int flags = fcntl(fd, F_GETFL);
  const int is_written = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && (flags & O_APPEND) == 0;
  const int is_lost = is_written && !(fd < (int)sizeof is_synced && is_synced[fd]);
  if (is_lost && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) syscall(SYS_ftruncate, fd, 0);
}

int close(int fd) {
  NEXT(int, close, (int));
  char link[64], path[256] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (getenv("CALLS_LOG") || getenv("FAIL_WHAT"))
    syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  const int error = fault(CLOSE, "close", path, 0);
  if (error) lose(fd);
  note_synced(fd, 0);
  const int result = next(fd);
  if (error == 0) return result;
  errno = error;
  return -1;
}

// To make is what others see; to write what is there already is of that kind, too.
static int open_fault(const char* call, const char* path, int flags) {
  const int is_writing = (flags & O_CREAT) != 0 || (flags & O_ACCMODE) != O_RDONLY;
  return fault(is_writing ? MAKE : OPEN_, call, path, (flags & O_CREAT) != 0);
}

#define OPENS(name, parameters, arguments)                                           \
  int name parameters {                                                              \
    static int(*next) parameters;                                                    \
    if (!next) next = (int(*) parameters)dlsym(RTLD_NEXT, #name);                    \
    va_list rest;                                                                    \
    va_start(rest, flags);                                                           \
    const int mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, int) : 0; \
    va_end(rest);                                                                    \
    const int error = open_fault(#name, path, flags);                                \
    const int fd = error ? -1 : next arguments;                                      \
    if (error) errno = error;                                                        \
    note_synced(fd, 0);                                                              \
    return fd;                                                                       \
  }
OPENS(open, (const char* path, int flags, ...), (path, flags, mode))
OPENS(open64, (const char* path, int flags, ...), (path, flags, mode))
OPENS(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
OPENS(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
// As a compiler calls them that fortifies.
int __open_2(const char* path, int flags) { return open(path, flags); }
int __open64_2(const char* path, int flags) { return open64(path, flags); }
ssize_t __read_chk(int fd, void* text, size_t size, size_t room) {
  (void)room;
  return read(fd, text, size);
}

DIR* opendir(const char* path) {
  NEXT(DIR*, opendir, (const char*));
  const int error = fault(OPEN_, "opendir", path, 0);
  if (error == 0) return next(path);
  errno = error;
  return NULL;
}
