import { dirname } from 'node:path'

/** What of an output is read. */
const outputBytesMax = 1024 * 1024

export interface ProgramRun {
  /** `null`: it was ended from outside, such as by the time limit. */
  status: number | null
  stdout: string
  stderr: string
}

interface ProgramOptions {
  env: Record<string, string | undefined>
  timeoutMs: number
  /** Whom it runs as; `null`: as whoever runs this. */
  user: { uid: number; gid: number } | null
}

/** Runs an executable to its end. @throws when it cannot be started */
export async function runProgram(
  file: string,
  argv: string[],
  { env, timeoutMs, user }: ProgramOptions,
): Promise<ProgramRun> {
  const child = Bun.spawn([file, ...argv], {
    cwd: dirname(file),
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(user ?? {}),
  })
  const [stdout, stderr] = await Promise.all([beginningOf(child.stdout), beginningOf(child.stderr)])
  await child.exited
  return { status: child.exitCode, stdout, stderr }
}

async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes < outputBytesMax) chunks.push(chunk)
    bytes += chunk.length
  }
  return Buffer.concat(chunks).toString('utf8', 0, outputBytesMax)
}
