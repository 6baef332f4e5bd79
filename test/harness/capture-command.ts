import { join } from 'node:path'

const mainFile = join(import.meta.dir, '../../src/main.ts')

/** The program under test: the executable that `CAPTURE_BINARY` names, else the sources. */
export function captureCommand(): string[] {
  const binary = process.env.CAPTURE_BINARY
  return binary === undefined || binary === '' ? [process.execPath, mainFile] : [binary]
}

/** An environment that configures nothing but what is given. */
export const bareEnvironment = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  TMPDIR: process.env.TMPDIR ?? '/tmp',
  ...env,
})

export interface Ran {
  status: number
  stdout: string
  stderr: string
}

/** Runs one command to its end. */
export async function runCommand(argv: string[], cwd: string): Promise<Ran> {
  const child = Bun.spawn([...captureCommand(), ...argv], {
    cwd,
    env: bareEnvironment(),
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
