import { freePort } from '../../src/cli/serve/ports.ts'

/** Below those that Linux gives to whoever asks for any port, and to connections that go out. */
const ownPorts = { first: 16_384, each: 16, processes: 1024 }
/** How many of this process's ports have been handed out. */
let portsTaken = 0

/**
 * A port of 127.0.0.1 that nobody has and nobody gets by chance: a server of the test can take it later, give it up and
 * take it again, or leave it closed. The process id keeps files apart.
 */
export function ownPort(): number {
  const { first, each, processes } = ownPorts
  for (let tries = 0; tries < each; tries++) {
    const port = first + (process.pid % processes) * each + (portsTaken++ % each)
    try {
      return freePort({ host: '127.0.0.1', port })
    } catch {
      // Another process whose id differs by a multiple listens there.
    }
  }
  throw new Error(`the ${each} ports of this process are taken`)
}

/** Handed out one after the other, so that each server of a test file has port 80 of an address to itself. */
let last = 0

/** An address of this machine's own that no other test of this process has; the process id keeps files apart. */
export function ownAddress(): string {
  last++
  return `127.${64 + (process.pid % 64)}.${(process.pid >> 6) % 256}.${last}`
}

/** Authorities ask on port 80 and on no other, and so do the tests. @throws with what to do when it cannot be had */
export function needPort80(): void {
  try {
    Bun.listen({ hostname: ownAddress(), port: 80, socket: { data() {} } }).stop(true)
  } catch (error) {
    const advice = 'Run as root or with net.ipv4.ip_unprivileged_port_start=0, and stop what listens on every address.'
    throw new Error(`This test needs port 80 of loopback addresses. ${advice}`, { cause: error })
  }
}
