import type { TargetState } from '../../backup/target-state.ts'
import type { Config } from '../../config/config.ts'
import type { PeriodicWork } from '../../lib/interval.ts'
import type { BackupFigures } from '../../operator/figures.ts'
import { askThread } from './one-answer.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'
import { workerFile } from './worker-file.ts'

/** Captures wait for it when another process takes over; what is cut is sent again by that one, as after a crash. */
const closeMsMax = 1000

interface BackupThreadParts extends ThreadSurroundings {
  figures: BackupFigures
}

/** The thread that keeps targets up to date, seen from the serving one; without targets there is none. */
export function backingUp(config: Config, { figures, ...surroundings }: BackupThreadParts): PeriodicWork {
  if (config.backup.to.length === 0) return { stop: async () => {} }
  return new ServiceThread<Config, { state: TargetState }>({
    workerFile: workerFile('backup'),
    purpose: 'backs up',
    settings: () => config,
    onMessage: ({ state }) => figures.use(state),
    ...surroundings,
    closeMsMax,
  })
}

export interface CopyOrder {
  databaseFile: string
  copy: string
}

/** Copies and verifies a database in a thread that ends with it. @throws with what SQLite says, or the signal's reason */
export async function copyInThread(databaseFile: string, copy: string, signal: AbortSignal): Promise<void> {
  const file = workerFile('copy')
  try {
    await askThread<CopyOrder, void>(file, { databaseFile, copy }, { purpose: 'copies the database', signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(`the database cannot be copied: ${(error as Error).message}`)
  }
}

/** Without work for so long, the thread ends: it is needed once a day. */
const idleMsMax = 5000

interface Order {
  part: Uint8Array<ArrayBuffer>
  done: PromiseWithResolvers<Uint8Array<ArrayBuffer>>
}

/** Compresses parts in a thread of low priority, one after the other. The thread lives as long as there is work. */
export class PressThread {
  private worker: Worker | null = null
  private idle: Timer | null = null
  private readonly orders: Order[] = []

  constructor(private readonly file: string | URL = workerFile('press')) {}

  /** Takes the bytes away from the caller. */
  readonly compress = (part: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
    if (this.idle !== null) clearTimeout(this.idle)
    this.idle = null
    const done = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    this.orders.push({ part, done })
    if (this.orders.length === 1) this.next()
    return done.promise
  }

  close(): void {
    if (this.idle !== null) clearTimeout(this.idle)
    this.worker?.terminate()
    this.worker = null
    for (const { done } of this.orders.splice(0)) done.reject(new Error('the thread that compresses has ended'))
  }

  private next(): void {
    const [order] = this.orders
    if (order === undefined) {
      this.idle = setTimeout(() => this.close(), idleMsMax)
      return
    }
    this.worker ??= this.open()
    this.worker.postMessage(order.part, [order.part.buffer])
  }

  private open(): Worker {
    const worker = new Worker(this.file, { smol: true })
    worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
      this.orders.shift()?.done.resolve(data)
      this.next()
    }
    const lost = () => {
      if (this.worker === worker) this.close()
    }
    worker.onerror = lost
    worker.addEventListener('close', lost)
    return worker
  }
}
