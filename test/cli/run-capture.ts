import { join } from 'node:path'

export interface Ran {
  status: number
  stdout: string
  stderr: string
}

const mainFile = join(import.meta.dir, '../../src/main.ts')

/** Runs the program from source, in an environment that holds no configuration but the given one. */
export async function runCapture(
  argv: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Ran> {
  const child = Bun.spawn([process.execPath, mainFile, ...argv], {
    cwd: options.cwd ?? import.meta.dir,
    env: { PATH: process.env.PATH, ...options.env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { status, stdout, stderr }
}
