import { meetService } from '../handover/control-socket.ts'
import type { Wire } from '../handover/wire.ts'

/** The running service of a data folder, which can be asked to hand over. */
export interface RunningBox {
  wire: Wire
  pid: number
  version: string
  /** Where its executable lies. */
  executable: string
}

/** @returns `null`: none runs. @throws OperatorError when one runs and cannot be asked */
export async function findService(dataDir: string): Promise<RunningBox | null> {
  const met = await meetService(dataDir, 'Look at its log. Nothing was changed.')
  if (met === null) return null
  const { pid, version, executable } = met.hello
  return { wire: met.wire, pid, version, executable }
}

/** How it went. `gone`: the service that was asked has ended meanwhile. */
type HandedOver = { pid: number } | { why: string } | 'gone'

/**
 * Asks the service to start its executable anew, and to hand over to it.
 *
 * @param onReady given the process that serves from then on
 */
export async function askToHandOver(
  { wire }: RunningBox,
  watchSeconds: number,
  onReady: (pid: number) => void,
): Promise<HandedOver> {
  wire.send({ say: 'upgrade', watchSeconds })
  let pid = 0
  for (;;) {
    const message = await wire.next()
    if (message === null) return 'gone'
    if (message.say === 'failed') return { why: message.why }
    if (message.say === 'started') pid = message.pid
    if (message.say === 'ready') onReady(pid)
    if (message.say === 'yours') return { pid }
  }
}

const anewMsMax = 15_000
const pollMs = 200

/** The version that serves after the service that was asked has gone, as after a kill; `null`: none does. */
export async function servedAnew({ pid }: RunningBox, dataDir: string): Promise<string | null> {
  for (let waitedMs = 0; waitedMs < anewMsMax; waitedMs += pollMs) {
    const found = await findService(dataDir).catch(() => null)
    found?.wire.close()
    if (found !== null && found.pid !== pid) return found.version
    await Bun.sleep(pollMs)
  }
  return null
}
