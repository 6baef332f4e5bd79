import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../lib/log.ts'
import { type Message, type Wire, wireHandlers } from './wire.ts'

const socketName = 'serve.sock'

/** What a running service answers when it is asked to hand over. */
export interface ControlAnswers {
  hello: () => Message
  /** Another process listens beside this one and wants the data folder. */
  onTakeOver: (wire: Wire, pid: number) => void
  /** The executable is to be started anew and watched. */
  onUpgrade: (wire: Wire, watchSeconds: number) => void
}

/**
 * The socket in the data folder on which the service is asked to hand over. The folder is its owner's alone, and so is the
 * socket. To be opened by the holder of `serve.lock`.
 */
export class ControlSocket {
  private constructor(private readonly listener: { stop(closeActive?: boolean): void } | null) {}

  static open(dataDir: string, answers: ControlAnswers, log: Log): ControlSocket {
    const unix = join(dataDir, socketName)
    // One that was killed leaves it behind.
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

  /** Removes the socket; connections that stand go on. */
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

/** The running service of a data folder; `null`: none answers there. */
export async function connectToService(dataDir: string): Promise<Wire | null> {
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
