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
