import { systemClock } from '../../src/lib/clock.ts'
import { builtExecutable } from './executable.ts'

/** A command of 50 ms would spend a third of it on machine code that it hardly runs. Load is compiled all the same. */
const compilesLate = {
  BUN_JSC_thresholdForJITAfterWarmUp: '5000',
  BUN_JSC_thresholdForJITSoon: '1000',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
}
/** For commands that run to their end: compilers take more time than they save. */
const compilesNothing = { BUN_JSC_useJIT: '0' }

/** An environment that configures nothing but what is given, and closes the address that only one box a machine has. */
export const bareEnvironment = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  TMPDIR: process.env.TMPDIR ?? '/tmp',
  ...compilesLate,
  CAPTURE_OPERATOR_LISTEN: '',
  ...env,
})

export interface Ran {
  status: number
  stdout: string
  stderr: string
}

/** The same for a command that runs to its end. */
export const commandEnvironment = (env: Record<string, string> = {}): Record<string, string> =>
  bareEnvironment({ ...compilesNothing, ...env })

/** Runs one command to its end. */
export async function runCommand(argv: string[], cwd: string, env: Record<string, string> = {}): Promise<Ran> {
  const child = Bun.spawn([await builtExecutable(), ...argv], {
    cwd,
    env: commandEnvironment(env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { status, stdout, stderr }
}

/** The permissions of new files, which a command narrows for the rest of its process. */
const umask = process.umask()

/**
 * Runs one command to its end within this process, from the sources: 10 to 30 ms, where a process takes 40 to 75.
 *
 * For what tests arrange and read back. Each command also runs as the executable, in audit-of-commands, test/cli or test/binary.
 */
export async function runHere(argv: string[], cwd: string): Promise<Ran> {
  const { runCommandLine } = await import('../../src/cli/command-line.ts')
  const printed = { out: [] as Buffer[], err: [] as string[] }
  try {
    const status = await runCommandLine({
      argv,
      env: bareEnvironment(),
      cwd,
      clock: systemClock,
      out: { isTerminal: false, write: async (content) => void printed.out.push(Buffer.from(content)) },
      err: { isTerminal: false, write: (text) => void printed.err.push(text) },
    })
    return { status, stdout: new TextDecoder().decode(Buffer.concat(printed.out)), stderr: printed.err.join('') }
  } finally {
    process.umask(umask)
  }
}
