import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Socket, SocketHandler } from 'bun'
import type { Config } from '../../config/config.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Log } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { ClusterStatus } from '../../operations/cluster/cluster-status.ts'
import { isHeld, type LockHolder, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import { withPorts } from './ports.ts'

/** What a node knows of its part in the cluster. */
export interface NodeStanding {
  node: string
  leads: boolean
  /** `null`: not known. */
  leader: string | null
  /** What the node has seen last of the whole cluster; `null`: nothing yet. */
  status: ClusterStatus | null
}

/** Messages between two processes of Capture, one JSON object per line. Unknown fields are ignored. */
export type Message =
  /** From the service, first of all. */
  | {
      say: 'hello'
      version: string
      pid: number
      executable: string
      ports: Record<string, number>
      hosts: string[]
      /** What its threads did that it does not start again. */
      stalled: string[]
      /** `null`, or absent from earlier versions: a single box. */
      cluster?: NodeStanding | null
    }
  /** To the service of a node: answer once the cluster has all that the folder holds now, or after 5 s. */
  | { say: 'share' }
  | { say: 'shared'; isShared: boolean }
  /** The same: answer once each node has it, or after another 5 s. */
  | { say: 'spread' }
  | { say: 'spreading'; lacking: string[] | null }
  /** To the service: start the executable now at your path, and hand over to it. */
  | { say: 'upgrade'; watchSeconds: number }
  /** To the service: this process listens on the same ports and waits for the data folder. */
  | { say: 'take over'; pid: number }
  /** From the service: everything is written and the data folder is free. */
  | { say: 'free' }
  /** From the one that takes over. */
  | { say: 'migrating'; megabytes: number }
  | { say: 'migrated'; snapshot: string }
  | { say: 'ready' }
  | { say: 'alive' }
  /** The process is stopping on request. */
  | { say: 'stopping' }
  /** From the service: it no longer stands by. */
  | { say: 'yours' }
  /** From the service to the command that requested an upgrade. */
  | { say: 'started'; pid: number }
  /** It will not, or could not. */
  | { say: 'failed'; why: string }

/** Longer than a message with every host of a box. */
const lineCharactersMax = 64 * 1024 * 1024

/** One end of a connection. Received messages wait until they are read. */
export class ControlConnection {
  private received = ''
  private unsent: Uint8Array = new Uint8Array()
  private readonly decoder = new TextDecoder()
  private readonly messages: Message[] = []
  private wake: (() => void) | null = null
  private isOver = false

  constructor(private readonly socket: Socket<ControlConnection>) {}

  get isClosed(): boolean {
    return this.isOver
  }

  send(message: Message): void {
    if (this.isOver) return
    this.unsent = Buffer.concat([this.unsent, Buffer.from(`${JSON.stringify(message)}\n`)])
    this.flush()
  }

  /** The next message; `null`: the connection is closed. */
  async next(): Promise<Message | null> {
    for (;;) {
      const message = this.messages.shift()
      if (message !== undefined) return message
      if (this.isOver) return null
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  close(): void {
    this.over()
    this.socket.end()
  }

  take(bytes: Uint8Array): void {
    this.received += this.decoder.decode(bytes, { stream: true })
    const lines = this.received.split('\n')
    this.received = lines.pop() ?? ''
    for (const line of lines) {
      const message = parsed(line)
      if (message !== null) this.messages.push(message)
    }
    if (this.received.length > lineCharactersMax) this.close()
    this.wake?.()
  }

  flush(): void {
    if (this.unsent.length === 0) return
    const sent = this.socket.write(this.unsent)
    this.unsent = this.unsent.subarray(Math.max(0, sent))
  }

  over(): void {
    this.isOver = true
    this.wake?.()
  }
}

function parsed(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'say' in value ? (value as Message) : null
  } catch {
    return null
  }
}

const connectionHandlers = (opened: (connection: ControlConnection) => void): SocketHandler<ControlConnection> => ({
  open(socket) {
    socket.data = new ControlConnection(socket)
    opened(socket.data)
  },
  data: ({ data: connection }, bytes) => connection.take(bytes),
  drain: ({ data: connection }) => connection.flush(),
  close: ({ data: connection }) => connection.over(),
  error: ({ data: connection }) => connection.over(),
})

const socketName = 'serve.sock'

interface ControlAnswers {
  hello: () => Message
  /** Another process listens on the same ports and requests the data folder. */
  onTakeOver: (connection: ControlConnection, pid: number) => void
  onShare: (connection: ControlConnection) => void
  onSpread: (connection: ControlConnection) => void
  /** The executable is to be restarted and watched. */
  onUpgrade: (connection: ControlConnection, watchSeconds: number) => void
}

export interface ControlSocket {
  /** Removes the socket. Existing connections stay open. */
  close(): void
}

/**
 * The socket in the data folder for requests to hand over. Only the folder's owner can use it. Only the process with `serve.lock`
 * may open it.
 */
export function openControlSocket(dataDir: string, answers: ControlAnswers, log: Log): ControlSocket {
  const unix = join(dataDir, socketName)
  // A killed service leaves its socket behind.
  rmSync(unix, { force: true })
  try {
    const socket = connectionHandlers((connection) => {
      connection.send(answers.hello())
      void serve(connection, answers)
    })
    const listener = Bun.listen<ControlConnection>({ unix, socket, data: undefined as never })
    return { close: () => listener.stop(false) }
  } catch (error) {
    log.warn('The data folder takes no socket: an upgrade of this service will need a stop.', {
      error: error instanceof Error ? error.message : 'unknown',
    })
    return { close: () => {} }
  }
}

async function serve(
  connection: ControlConnection,
  { onShare, onSpread, onTakeOver, onUpgrade }: ControlAnswers,
): Promise<void> {
  const asked = await connection.next()
  if (asked?.say === 'take over') onTakeOver(connection, asked.pid)
  else if (asked?.say === 'share') onShare(connection)
  else if (asked?.say === 'spread') onSpread(connection)
  else if (asked?.say === 'upgrade') onUpgrade(connection, asked.watchSeconds)
  else connection.close()
}

type Hello = Extract<Message, { say: 'hello' }>

export interface MetService {
  connection: ControlConnection
  hello: Hello
}

/** A live process answers a connection at once. */
const helloMsMax = 5000

/**
 * The running service of a data folder, with its first message.
 *
 * @param advice for a service that does not answer
 * @returns `null`: none runs. @throws OperatorError when one runs and cannot be asked
 */
export async function meetService(dataDir: string, advice: string): Promise<MetService | null> {
  const connection = await reachService(dataDir)
  if (connection === null) return null
  const hello = await inTime(connection.next(), helloMsMax)
  if (hello !== 'late' && hello?.say === 'hello') return { connection, hello }
  connection.close()
  throw new OperatorError(`The service on ${dataDir} does not answer. ${advice}`)
}

/** A service that has just taken over needs a moment to open its socket. */
const socketMsMax = 3000
const pollMs = 50

async function reachService(dataDir: string): Promise<ControlConnection | null> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const connection = await connectToService(dataDir)
    if (connection !== null || !existsSync(dataDir)) return connection
    const lock = takeFolderLock(dataDir, 'serve', 'a look for the service')
    if (isHeld(lock)) {
      lock.release()
      return null
    }
    if (waitedMs >= socketMsMax) throw unreachable(lock)
    await Bun.sleep(pollMs)
  }
}

const unreachable = ({ pid, doing }: LockHolder): OperatorError =>
  new OperatorError(
    `Process ${pid} (${doing}) cannot hand over: its version does not support that, or it is just stopping. Stop it, install the new executable, and start that. Nothing was changed.`,
  )

/** A command does without what a service would say that hangs. */
const briefMsMax = 1000

/** The configuration with the ports in use, if it leaves any to the service, and one runs. */
export async function withPortsInUse(config: Config): Promise<Config> {
  const { server, https, operator, console } = config
  const addresses = [server.listen, https.listen, https.httpListen, operator.listen, console.listen]
  if (!addresses.some((address) => address?.port === 0)) return config
  const hello = await helloOf(config.dataDir)
  return hello === null ? config : withPorts(config, hello.ports)
}

/** What the running service's threads did that it does not start again, such as `delivers`. */
export const stalledThreads = async (dataDir: string): Promise<readonly string[]> =>
  (await helloOf(dataDir))?.stalled ?? []

/** What the running service says of its cluster; `null`: no service runs, or it belongs to none. */
export const membershipOf = async (dataDir: string): Promise<NodeStanding | null> =>
  (await helloOf(dataDir))?.cluster ?? null

/** The longest that a service waits, and something for the way. */
const shareMsMax = 6000
const spreadMsMax = shareMsMax + 5000

/** Whether the cluster has all that the folder holds now. */
export async function sharedByService(dataDir: string): Promise<boolean> {
  const answer = await answerOf(dataDir, { say: 'share' }, shareMsMax)
  return answer?.say === 'shared' && answer.isShared
}

/** Names of the nodes that lack something of what the folder holds now; `null`: that is not known. */
export async function lackingNodes(dataDir: string): Promise<string[] | null> {
  const answer = await answerOf(dataDir, { say: 'spread' }, spreadMsMax)
  return answer?.say === 'spreading' ? answer.lacking : null
}

/** `null`: no service runs, or it does not answer in time. */
async function answerOf(dataDir: string, asked: Message, withinMs: number): Promise<Message | null> {
  const connection = await connectToService(dataDir)
  if (connection === null) return null
  try {
    if ((await inTime(connection.next(), briefMsMax)) === 'late') return null
    connection.send(asked)
    const answer = await inTime(connection.next(), withinMs)
    return answer === 'late' ? null : answer
  } finally {
    connection.close()
  }
}

/** `null`: no service runs, or it does not answer at once. */
async function helloOf(dataDir: string): Promise<Hello | null> {
  const connection = await connectToService(dataDir)
  if (connection === null) return null
  const hello = await inTime(connection.next(), briefMsMax)
  connection.close()
  return hello !== 'late' && hello?.say === 'hello' ? hello : null
}

async function connectToService(dataDir: string): Promise<ControlConnection | null> {
  try {
    const connected = Promise.withResolvers<ControlConnection>()
    await Bun.connect<ControlConnection>({
      unix: join(dataDir, socketName),
      socket: connectionHandlers(connected.resolve),
      data: undefined as never,
    })
    return await connected.promise
  } catch {
    return null
  }
}
