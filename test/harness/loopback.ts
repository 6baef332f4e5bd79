/** Handed out one after the other, so that each server of a test file has port 80 of an address to itself. */
let last = 0

/** An address of this machine's own that no other test of this process has; the process id keeps files apart. */
export function ownAddress(): string {
  last++
  return `127.${64 + (process.pid % 64)}.${(process.pid >> 6) % 256}.${last}`
}
