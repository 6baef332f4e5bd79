import { OperatorError } from '../lib/operator-error.ts'

/** Runs a build script; what the one who runs it can mend is said without a stack trace. */
export async function runScript(script: () => Promise<void>): Promise<void> {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error.exitStatus
  }
}
