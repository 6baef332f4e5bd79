import { waitMsMax } from './eventually.ts'
import { within } from './server-process.ts'

const linesKept = 200

/** A program that runs beside a test. */
export interface BackgroundProgram {
  /** The last lines that it has written. */
  lines: string[]
  stop(): Promise<void>
}

interface Wanted {
  argv: string[]
  env?: Record<string, string>
  /** Part of the line that says that it is ready. */
  readyLine: string
}

/** Starts it and waits until it says that it is ready. @throws with what it wrote when it ends before */
export async function startProgram({ argv, env = {}, readyLine }: Wanted): Promise<BackgroundProgram> {
  const child = Bun.spawn(argv, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  const reading = Promise.all(
    [child.stdout, child.stderr].map((stream) =>
      eachLine(stream, (line) => {
        lines.push(line)
        if (lines.length > linesKept) lines.shift()
        if (line.includes(readyLine)) ready.resolve()
      }),
    ),
  ).then(() => ready.reject(new Error(`${argv[0]} ended before it was ready:\n${lines.join('\n')}`)))
  const stop = async (): Promise<void> => {
    child.kill()
    await child.exited
    await reading
  }
  try {
    await within(waitMsMax, `${argv[0]} to be ready`, ready.promise)
    return { lines, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function eachLine(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}
