import { dlopen, FFIType } from 'bun:ffi'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitMsMax } from '../../harness/eventually.ts'
import { GrowingList } from '../../harness/growing-list.ts'

const { i32, u32, u64, i64, ptr } = FFIType
const libc = dlopen('libc.so.6', {
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, ptr, u32], returns: i32 },
  recv: { args: [i32, ptr, u64, i32], returns: i64 },
  close: { args: [i32], returns: i32 },
  clock_gettime: { args: [i32, ptr], returns: i32 },
}).symbols

const AF_UNIX = 1
const SOCK_DGRAM = 2
const MSG_DONTWAIT = 0x40
const CLOCK_MONOTONIC = 1
/** A datagram socket that was made by hand wakes nobody: it is looked at so often. */
const pollMs = 20

/** The clock of `MONOTONIC_USEC`. */
export function monotonicUsec(): number {
  const time = new BigInt64Array(2)
  libc.clock_gettime(CLOCK_MONOTONIC, time)
  return Number((time[0] ?? 0n) * 1_000_000n + (time[1] ?? 0n) / 1000n)
}

/** The service manager's side of sd_notify(3): a real datagram socket, and every message that came over it, in order. */
export class NotifySocket implements AsyncDisposable {
  private readonly received = new GrowingList<string>()
  private readonly descriptor = libc.socket(AF_UNIX, SOCK_DGRAM, 0)
  private readonly folder = mkdtempSync(join(tmpdir(), 'capture-notify-'))
  private readonly timer: Timer
  /** As `NOTIFY_SOCKET` names it. */
  readonly name: string

  constructor(kind: 'path' | 'abstract' = 'path') {
    const path = join(this.folder, 'notify')
    this.name = kind === 'path' ? path : `@${path}`
    const bytes = Buffer.from(kind === 'path' ? `${path}\0` : `\0${path}`)
    const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), bytes])
    if (libc.bind(this.descriptor, address, address.length) !== 0) throw new Error(`cannot bind ${this.name}`)
    this.timer = setInterval(() => this.read(), pollMs)
  }

  get messages(): readonly string[] {
    return this.received.items
  }

  /** Waits for a message behind the first `after`; answers its place. @throws when it does not come in time */
  async hears(pattern: RegExp, after = 0): Promise<number> {
    try {
      return await this.received.find(`${pattern}`, waitMsMax, (messages) => {
        const found = messages.findIndex((message, index) => index >= after && pattern.test(message))
        return found < 0 ? null : found
      })
    } catch (cause) {
      throw new Error(`${pattern} was not said, but:\n${this.messages.join('\n--\n')}`, { cause })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer)
    libc.close(this.descriptor)
    rmSync(this.folder, { recursive: true, force: true })
  }

  private read(): void {
    const buffer = Buffer.alloc(4096)
    for (;;) {
      const length = Number(libc.recv(this.descriptor, buffer, buffer.length, MSG_DONTWAIT))
      if (length <= 0) return
      this.received.add(buffer.toString('utf8', 0, length))
    }
  }
}
