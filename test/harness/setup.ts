// Loaded before the test files (bunfig.toml).

import { readFileSync, statfsSync } from 'node:fs'
import { plugin } from 'bun'

/**
 * A file system in memory, where there is one with room. A run writes 24 GB that are removed at once: without a disk it takes a
 * twentieth less processor time. `TMPDIR=/tmp bun test` tries the disk.
 */
const memory = '/dev/shm'
/** A run needs a quarter of it at most. */
const roomKb = 8 * 1024 ** 2
if (process.env.TMPDIR === undefined && hasRoom(memory)) process.env.TMPDIR = memory

/** Whether it and the machine's memory have the room, and programs may run there. */
function hasRoom(folder: string): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === folder)
    const available = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    const { bavail, bsize } = statfsSync(folder)
    const freeKb = Math.min((bavail * bsize) / 1024, Number(available))
    return mounted?.includes('noexec') === false && freeKb > roomKb
  } catch {
    return false
  }
}

/** Properties are tried with the same examples in each run, so that chance decides no test. `SEED=2 bun test` tries others. */
const seed = Number(process.env.SEED ?? 1)

/** Set where fast-check is loaded: most test files do without its 400 KB. */
plugin({
  name: 'seed of properties',
  setup(build) {
    build.onLoad({ filter: /\/fast-check\/lib\/fast-check\.js$/ }, async ({ path }) => ({
      contents: `${await Bun.file(path).text()}\nconfigureGlobal({ seed: ${seed} })`,
      loader: 'js',
    }))
  },
})

/** A limit is for what hangs: a slow or busy machine must not decide a test's outcome. */
const testMsMax = 600_000

/**
 * Bun has no setting for the default time limit, and forgets a `setDefaultTimeout` of another file. So each test file
 * gets one, on its first line to keep the lines' numbers, under a name that no test uses.
 */
plugin({
  name: 'default time limit',
  setup(build) {
    const limit = `import { setDefaultTimeout as $setLimit } from 'bun:test'; $setLimit(${testMsMax});`
    build.onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => ({
      contents: limit + (await Bun.file(path).text()),
      loader: 'ts',
    }))
  },
})
