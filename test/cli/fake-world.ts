import type { World } from '../../src/cli/session.ts'

export interface FakeWorld extends World {
  /** What was written to standard output and standard error so far. */
  printed: { out: string; err: string }
}

/** A world without a process: neither stream is a terminal, the clock stands still. */
export function fakeWorld(overrides: Partial<World> = {}): FakeWorld {
  const printed = { out: '', err: '' }
  return {
    argv: [],
    env: {},
    cwd: import.meta.dir,
    clock: { now: () => Date.UTC(2026, 10, 20), monotonicMs: () => 0 },
    out: {
      isTerminal: false,
      async write(text) {
        printed.out += text
      },
    },
    err: {
      isTerminal: false,
      write(text) {
        printed.err += text
      },
    },
    ...overrides,
    printed,
  }
}
