import { existsSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import { isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import { connectToService } from '../handover/control-socket.ts'
import { inTime } from '../handover/in-time.ts'
import type { Wire } from '../handover/wire.ts'

const helloMsMax = 5000

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
  const wire = await connectToService(dataDir)
  if (wire === null) return refuseUnreachable(dataDir)
  const hello = await inTime(wire.next(), helloMsMax)
  if (hello === 'late' || hello?.say !== 'hello') {
    wire.close()
    throw new OperatorError(`The service on ${dataDir} does not answer. Look at its log. Nothing was changed.`)
  }
  const { pid, version, executable } = hello
  return { wire, pid, version, executable }
}

function refuseUnreachable(dataDir: string): null {
  if (!existsSync(dataDir)) return null
  const lock = takeFolderLock(dataDir, 'serve', 'capture upgrade')
  if (!isHeld(lock)) {
    throw new OperatorError(
      `Process ${lock.pid} (${lock.doing}) cannot be asked to hand over: its version does not know how. Stop it, put the new executable in its place, and start it again. Nothing was changed.`,
    )
  }
  lock.release()
  return null
}

/**
 * Asks the service to start its executable anew, and to hand over to it.
 *
 * @param tell told of each step
 * @returns the process that serves now, or why the one before serves still
 */
export async function askToHandOver(
  { wire }: RunningBox,
  watchSeconds: number,
  tell: (sentence: string) => void,
): Promise<{ pid: number } | { why: string }> {
  wire.send({ say: 'upgrade', watchSeconds })
  let pid = 0
  for (;;) {
    const said = await wire.next()
    if (said === null) return { why: 'the service ended meanwhile' }
    if (said.say === 'failed') return { why: said.why }
    if (said.say === 'started') pid = said.pid
    if (said.say === 'ready') tell(`The new version serves (process ${pid}).`)
    if (said.say === 'yours') return { pid }
  }
}

const anewMsMax = 10_000
const pollMs = 200

/** After the service that was asked has gone: whether another process serves in its place, as it would after a kill. */
export async function servesAnew({ pid }: RunningBox, dataDir: string): Promise<boolean> {
  if (isAlive(pid)) return false
  for (let waitedMs = 0; waitedMs < anewMsMax; waitedMs += pollMs) {
    const found = await connectToService(dataDir)
    found?.close()
    if (found !== null) return true
    await Bun.sleep(pollMs)
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
