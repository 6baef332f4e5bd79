import { OperatorError } from '../lib/operator-error.ts'

/** Runs a build script and prints an OperatorError without a stack trace. */
export async function runScript(script: () => Promise<void>): Promise<void> {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error.exitStatus
  }
}
