// Loaded before the test files (bunfig.toml).
import { plugin } from 'bun'

/** A limit is for what hangs: a slow or busy machine must not decide a test's outcome. */
const testMsMax = 900_000

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
