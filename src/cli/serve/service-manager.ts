import { dlopen, FFIType } from 'bun:ffi'
import { supervision } from '../../config/environment.ts'
import { WriterGone } from '../../ledger/writer.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { plural } from '../../lib/quantities.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import type { CapturingBox } from '../open.ts'
import type { Session } from '../session.ts'
import { programVersion } from '../version.ts'

/** The minimum time for a migration, and more per megabyte for writing and verifying its snapshot. */
const migrationMs = 5 * 60_000
const migrationMsPerMegabyte = 1000

/**
 * The service manager that started the service: systemd with `Type=notify` (sd_notify(3)). Without one nothing is sent.
 */
export class ServiceManager {
  /** What was heard of `STATUS=` last. */
  private status = ''
  private ready = false

  constructor(
    private readonly notifier: Notifier | null,
    /** The watchdog's interval; `null`: no watchdog. */
    readonly watchdogMs: number | null,
  ) {}

  get isWatching(): boolean {
    return this.notifier !== null
  }

  get isReady(): boolean {
    return this.ready
  }

  /** Announces the migration of a database of this size, during which no other message can be sent. */
  migrating(databaseBytes: number): void {
    const ms = migrationMs + Math.ceil(databaseBytes / 2 ** 20) * migrationMsPerMegabyte
    this.send(`EXTEND_TIMEOUT_USEC=${ms * 1000}`, 'STATUS=Migrating the database')
  }

  /** Announces readiness, and afterwards only changes. Undelivered messages are repeated. */
  serving(status: string): void {
    if (this.ready && status === this.status) return
    if (!this.send(...(this.ready ? [] : ['READY=1']), `STATUS=${status}`)) return
    this.ready = true
    this.status = status
  }

  alive(): void {
    this.send('WATCHDOG=1')
  }

  reloading(): void {
    if (this.notifier === null || !this.ready) return
    this.send('RELOADING=1', `MONOTONIC_USEC=${this.notifier.monotonicUsec()}`)
  }

  reloaded(): void {
    if (this.ready) this.send('READY=1')
  }

  /** Makes the process with this id the service. The manager ignores this process from now on. */
  handedOver(pid: number): void {
    this.send(`MAINPID=${pid}`)
    this.ready = false
    this.status = ''
  }

  stopping(): void {
    this.send('STOPPING=1')
  }

  private send(...assignments: string[]): boolean {
    return this.notifier?.send(assignments.join('\n')) ?? false
  }
}

export function serviceManager({ env }: Pick<Session, 'env'>): ServiceManager {
  const { notifySocket, watchdogMs } = supervision(env, process.pid)
  return new ServiceManager(notifySocket === null ? null : openNotifier(notifySocket), watchdogMs)
}

const statusMs = 1000
/** Signs of life per watchdog interval; two of them may be late. */
const beatsPerWatchdog = 3

interface Supervised {
  manager: ServiceManager
  box: Pick<CapturingBox, 'probeCommit'>
  directory: SiteDirectory
  log: Log
}

/**
 * Reports readiness, status and signs of life to the service manager, each after the writing thread has answered. Call it when the
 * ports are bound.
 */
export function supervise({ manager, box, directory, log }: Supervised): PeriodicWork {
  if (!manager.isWatching) return { stop: async () => {} }
  const tell = async () => {
    if (manager.isReady || (await writerAnswers(box))) manager.serving(servingText(directory))
  }
  const beat = async () => {
    if (await writerAnswers(box)) manager.alive()
  }
  void tell()
  const telling = everyInterval(statusMs, tell, log)
  const beating = manager.watchdogMs === null ? null : everyInterval(manager.watchdogMs / beatsPerWatchdog, beat, log)
  return {
    stop: async () => {
      await telling.stop()
      await beating?.stop()
    },
  }
}

/**
 * Whether the writing thread completes a commit. A refusal by a full or read-only disk counts as an answer too: pages are still
 * served, and a restart does not repair a disk.
 */
async function writerAnswers(box: Pick<CapturingBox, 'probeCommit'>): Promise<boolean> {
  try {
    await box.probeCommit()
    return true
  } catch (error) {
    return !(error instanceof WriterGone)
  }
}

const servingText = ({ accountCount, domainCount }: SiteDirectory): string =>
  `Serving ${plural(accountCount, 'account')} on ${plural(domainCount, 'domain')}, ${programVersion}`

const AF_UNIX = 1
/** SOCK_DGRAM | SOCK_CLOEXEC, the same on x86-64 and arm64. */
const datagramSocket = 2 | 0o2000000
const MSG_NOSIGNAL = 0x4000
const CLOCK_MONOTONIC = 1
/** `sun_path` of sockaddr_un, with the NUL behind a path (unix(7)). */
const pathBytesMax = 108

const { i32, u32, u64, ptr } = FFIType
const symbols = {
  socket: { args: [i32, i32, i32], returns: i32 },
  sendto: { args: [i32, ptr, u64, i32, ptr, u32], returns: u64 },
  close: { args: [i32], returns: i32 },
  clock_gettime: { args: [i32, ptr], returns: i32 },
} as const

/** Sends notifications to the service manager (sd_notify(3)). */
interface Notifier {
  /** Sends assignments such as `READY=1`, one per line. `false`: the notification did not arrive. */
  send(state: string): boolean
  /** CLOCK_MONOTONIC in microseconds, as `MONOTONIC_USEC` wants it. */
  monotonicUsec(): bigint
}

/**
 * Opens the socket that `$NOTIFY_SOCKET` names: an absolute path, or an abstract name after `@`. The runtime has no
 * datagram sockets of this family, so the C library is used.
 *
 * @returns `null` if the name is of another kind, or the C library is not found
 */
function openNotifier(socketName: string): Notifier | null {
  const address = socketAddress(socketName)
  const library = address === null ? null : openLibrary()
  if (address === null || library === null) return null
  return {
    send(state) {
      const bytes = Buffer.from(state)
      const socket = library.socket(AF_UNIX, datagramSocket, 0)
      if (socket < 0) return false
      const sent = library.sendto(socket, bytes, bytes.length, MSG_NOSIGNAL, address, address.length)
      library.close(socket)
      return BigInt(sent) === BigInt(bytes.length)
    },
    monotonicUsec() {
      const time = new BigInt64Array(2)
      library.clock_gettime(CLOCK_MONOTONIC, time)
      return (time[0] ?? 0n) * 1_000_000n + (time[1] ?? 0n) / 1000n
    },
  }
}

/** A sockaddr_un as far as it is used. */
function socketAddress(name: string): Buffer | null {
  const path = Buffer.from(name.startsWith('@') ? `\0${name.slice(1)}` : `${name}\0`)
  if (!/^[@/]./.test(name) || path.length > pathBytesMax) return null
  return Buffer.concat([new Uint8Array(new Uint16Array([AF_UNIX]).buffer), path])
}

function openLibrary() {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  for (const name of ['libc.so.6', `libc.musl-${machine}.so.1`]) {
    try {
      return dlopen(name, symbols).symbols
    } catch {
      // Otherwise, try the other C library.
    }
  }
  return null
}
