import { bareEnvironment, commandEnvironment, type Ran } from '../../harness/capture-command.ts'
import { waitMsMax } from '../../harness/eventually.ts'
import { GrowingList } from '../../harness/growing-list.ts'
import { type Answer, type Sent, sendRequest } from '../../harness/http.ts'
import { within } from '../../harness/server-process.ts'

/** Where and how a process of the executable runs. */
export interface Surroundings {
  executable: string
  cwd: string
  env?: Record<string, string>
}

/** Runs one command to its end. */
export async function runProgram(argv: string[], { executable, cwd, env }: Surroundings): Promise<Ran> {
  const child = Bun.spawn([executable, ...argv], {
    cwd,
    env: commandEnvironment(env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: waitMsMax,
    killSignal: 'SIGKILL',
  })
  const read = (stream: ReadableStream) => new Response(stream).text()
  const [stdout, stderr, status] = await Promise.all([read(child.stdout), read(child.stderr), child.exited])
  return { status, stdout, stderr }
}

/** How a process ended. */
export interface End {
  status: number | null
  signal: string | number | null
}

/** A process that runs until it is told to stop, and what it has said so far. Disposed of, it is killed. */
export class RunningProgram implements AsyncDisposable {
  private readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  private readonly said = { stdout: new GrowingList<string>(), stderr: new GrowingList<string>() }
  private readonly reading: Promise<unknown>

  constructor(argv: string[], { executable, cwd, env }: Surroundings) {
    this.child = Bun.spawn([executable, ...argv], {
      cwd,
      env: bareEnvironment(env),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.reading = Promise.all([this.read('stdout'), this.read('stderr')])
  }

  get pid(): number {
    return this.child.pid
  }

  get stdout(): string {
    return this.said.stdout.items.join('')
  }

  get stderr(): string {
    return this.said.stderr.items.join('')
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name)
  }

  /** Waits until what it has said fits; answers what was found. @throws when it ends before or takes too long */
  says(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    return this.saysSo(stream, `${pattern}`, (text) => pattern.exec(text))
  }

  /** Waits until `found` answers something for all that it has said. @throws when it ends before or takes too long */
  async saysSo<T>(stream: 'stdout' | 'stderr', what: string, found: (text: string) => T | null): Promise<T> {
    try {
      return await this.said[stream].find(what, waitMsMax, (pieces) => found(pieces.join('')))
    } catch (cause) {
      throw new Error(`it did not say ${what}, but:\n${this.stdout}${this.stderr}`, { cause })
    }
  }

  /** Waits for the end and for the last of what was said. */
  async ended(): Promise<End> {
    await within(waitMsMax, 'the process to end', Promise.all([this.child.exited, this.reading]))
    return { status: this.child.exitCode, signal: this.child.signalCode }
  }

  /** Waits for the end alone: what a process that it has started says goes on. */
  async exits(): Promise<End> {
    await within(waitMsMax, 'the process to end', this.child.exited)
    return { status: this.child.exitCode, signal: this.child.signalCode }
  }

  async stop(): Promise<End> {
    this.signal('SIGTERM')
    return this.ended()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL')
    await this.child.exited
  }

  private async read(stream: 'stdout' | 'stderr'): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of this.child[stream]) this.said[stream].add(decoder.decode(chunk, { stream: true }))
    this.said[stream].end()
  }
}

/** A running `capture serve`. */
export class RunningServer extends RunningProgram {
  private boundPort = 0

  /** Starts it and waits until it listens. */
  static async start(configFile: string, surroundings: Surroundings): Promise<RunningServer> {
    const server = new RunningServer(['serve', '--config', configFile], surroundings)
    try {
      const [, port] = await server.says('stderr', /"message":"Listening\.".*"port":(\d+)/)
      server.boundPort = Number(port)
      return server
    } catch (error) {
      await server[Symbol.asyncDispose]()
      throw error
    }
  }

  get port(): number {
    return this.boundPort
  }

  send(sent: Sent): Promise<Answer> {
    return sendRequest(this.port, sent)
  }
}
