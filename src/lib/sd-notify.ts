import { dlopen, FFIType } from 'bun:ffi'

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
export interface Notifier {
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
export function openNotifier(socketName: string): Notifier | null {
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
