import { bareEnvironment } from './capture-command.ts'
import { waitMsMax } from './eventually.ts'
import { builtExecutable } from './executable.ts'

/** A running `capture serve`. */
export interface ServerProcess {
  port: number
  /** Where `[console] listen` was bound; `null`: nowhere. */
  consolePort: number | null
  /** Where `[operator] listen` was bound; `null`: nowhere. */
  operatorPort: number | null
  pid: number
  /** What it has logged at level `warn` or `error`, or in no known form. */
  complaints: string[]
  /** Every line that it has logged. */
  logged: string[]
  /** Asks it to stop by SIGTERM and waits for the end. @throws when it does not end well */
  stop(): Promise<void>
}

/** Starts the service and waits until it says that it listens. The errors it logs are shown among the tests' output. */
export async function startServer(
  configFile: string,
  cwd: string,
  program?: string[],
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = Bun.spawn([...(program ?? [await builtExecutable()]), 'serve', '--config', configFile], {
    cwd,
    env: bareEnvironment(env),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const complaints: string[] = []
  const logged: string[] = []
  const listening = Promise.withResolvers<number>()
  let consolePort: number | null = null
  let operatorPort: number | null = null
  const reading = eachLine(child.stderr, (text) => {
    const line = logLine(text)
    logged.push(text)
    if (line?.message === 'Listening for the console.' && typeof line.port === 'number') consolePort = line.port
    if (line?.message === 'Listening for the operator.' && typeof line.port === 'number') operatorPort = line.port
    if (line?.message === 'Listening.' && typeof line.port === 'number') listening.resolve(line.port)
    if (line?.level === 'info' || line?.level === 'debug') return
    complaints.push(text)
    if (line?.level === 'warn') return
    process.stderr.write(`[capture serve] ${text}\n`)
  }).then(() => listening.reject(new Error(`capture serve ended before it listened:\n${complaints.join('\n')}`)))

  const port = await within(waitMsMax, 'capture serve to listen', listening.promise)
  return {
    port,
    consolePort,
    get operatorPort() {
      return operatorPort
    },
    pid: child.pid,
    complaints,
    logged,
    async stop() {
      child.kill('SIGTERM')
      const status = await within(waitMsMax, 'capture serve to end', child.exited)
      await reading
      if (status !== 0) throw new Error(`capture serve ended with status ${status}:\n${complaints.join('\n')}`)
    },
  }
}

interface LogLine {
  level?: unknown
  message?: unknown
  port?: unknown
}

function logLine(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return null
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
  if (rest !== '') take(rest)
}

/** The promise's outcome, or an error that names what was waited for. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms} ms for ${what}`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
