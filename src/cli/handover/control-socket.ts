import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Log } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { isHeld, type LockHolder, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import { withPorts } from '../serve/bound.ts'
import { type Message, type Wire, wireHandlers } from './wire.ts'

const socketName = 'serve.sock'

/** The running service's reactions to requests for a hand-over. */
interface ControlAnswers {
  hello: () => Message
  /** Another process listens on the same ports and requests the data folder. */
  onTakeOver: (wire: Wire, pid: number) => void
  /** The executable is to be restarted and watched. */
  onUpgrade: (wire: Wire, watchSeconds: number) => void
}

/**
 * The socket in the data folder for requests to hand over. Only the folder's owner can use it. Only the process with `serve.lock`
 * may open it.
 */
export class ControlSocket {
  private constructor(private readonly listener: { stop(closeActive?: boolean): void } | null) {}

  static open(dataDir: string, answers: ControlAnswers, log: Log): ControlSocket {
    const unix = join(dataDir, socketName)
    // A killed service leaves its socket behind.
    rmSync(unix, { force: true })
    try {
      const socket = wireHandlers((wire) => {
        wire.send(answers.hello())
        void serve(wire, answers)
      })
      return new ControlSocket(Bun.listen<Wire>({ unix, socket, data: undefined as never }))
    } catch (error) {
      log.warn('The data folder takes no socket: an upgrade of this service will need a stop.', {
        error: error instanceof Error ? error.message : 'unknown',
      })
      return new ControlSocket(null)
    }
  }

  /** Removes the socket. Existing connections stay open. */
  close(): void {
    this.listener?.stop(false)
  }
}

async function serve(wire: Wire, { onTakeOver, onUpgrade }: ControlAnswers): Promise<void> {
  const asked = await wire.next()
  if (asked?.say === 'take over') onTakeOver(wire, asked.pid)
  else if (asked?.say === 'upgrade') onUpgrade(wire, asked.watchSeconds)
  else wire.close()
}

type Hello = Extract<Message, { say: 'hello' }>

/** A live process answers a connection at once. */
const helloMsMax = 5000

/**
 * The running service of a data folder, with its first message.
 *
 * @param advice for a service that does not answer
 * @returns `null`: none runs. @throws OperatorError when one runs and cannot be asked
 */
export async function meetService(dataDir: string, advice: string): Promise<{ wire: Wire; hello: Hello } | null> {
  const wire = await reachService(dataDir)
  if (wire === null) return null
  const hello = await inTime(wire.next(), helloMsMax)
  if (hello !== 'late' && hello?.say === 'hello') return { wire, hello }
  wire.close()
  throw new OperatorError(`The service on ${dataDir} does not answer. ${advice}`)
}

/** A service that has just taken over needs a moment to open its socket. */
const socketMsMax = 3000
const pollMs = 50

async function reachService(dataDir: string): Promise<Wire | null> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const wire = await connectToService(dataDir)
    if (wire !== null || !existsSync(dataDir)) return wire
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

/** `null`: no service runs, or it does not answer at once. */
async function helloOf(dataDir: string): Promise<Hello | null> {
  const wire = await connectToService(dataDir)
  if (wire === null) return null
  const hello = await inTime(wire.next(), briefMsMax)
  wire.close()
  return hello !== 'late' && hello?.say === 'hello' ? hello : null
}

async function connectToService(dataDir: string): Promise<Wire | null> {
  try {
    const connected = Promise.withResolvers<Wire>()
    await Bun.connect<Wire>({
      unix: join(dataDir, socketName),
      socket: wireHandlers(connected.resolve),
      data: undefined as never,
    })
    return await connected.promise
  } catch {
    return null
  }
}
