import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a process asks for the time of day. Intervals, by the monotonic clock, go on as they are. */
const source = (seconds: number): string => `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int answer = real(id, at);
  if (answer == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) at->tv_sec += ${seconds};
  return answer;
}

int gettimeofday(struct timeval *at, void *zone) {
  static int (*real)(struct timeval *, void *);
  if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
  int answer = real(at, zone);
  if (answer == 0) at->tv_sec += ${seconds};
  return answer;
}

time_t time(time_t *at) {
  struct timeval now;
  gettimeofday(&now, 0);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
`

/** Whether this machine can do it. */
export const canShiftClocks = Bun.which('cc') !== null

/** The environment of a process whose clock is off by so many seconds. */
export function shiftedClock(seconds: number): Record<string, string> {
  const dir = mkdtempSync(join(tmpdir(), 'capture-clock-'))
  const [text, library] = [join(dir, 'clock.c'), join(dir, 'clock.so')]
  writeFileSync(text, source(seconds))
  const made = Bun.spawnSync(['cc', '-shared', '-fPIC', '-O1', '-o', library, text, '-ldl'])
  if (made.exitCode !== 0) throw new Error(`cc: ${made.stderr}`)
  return { LD_PRELOAD: library }
}
