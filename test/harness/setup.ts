// Loaded before every test file (bunfig.toml).
import { setDefaultTimeout } from 'bun:test'

// A limit is for what hangs. A slow or busy machine must not decide a test's outcome.
setDefaultTimeout(120_000)
