import { writeFileSync } from 'node:fs'
import type { Clock } from '../../../src/lib/clock.ts'

/**
 * The time of another process: a test sets it, and a program that was started on the same file reads it, at once and
 * without a message. Epoch milliseconds.
 */
export class HeldClock {
  private readonly shared: Float64Array

  constructor(readonly file: string) {
    writeFileSync(file, new Uint8Array(Float64Array.BYTES_PER_ELEMENT))
    this.shared = sharedTime(file)
  }

  get now(): number {
    return this.shared[0] ?? Number.NaN
  }

  set(at: number): void {
    this.shared[0] = at
  }
}

/** A clock that shows what the file's holder says. Intervals go on by themselves. */
export function clockHeldIn(file: string): Clock {
  const shared = sharedTime(file)
  return { now: () => shared[0] ?? Number.NaN, monotonicMs: () => performance.now() }
}

const sharedTime = (file: string): Float64Array => new Float64Array(Bun.mmap(file, { shared: true }).buffer)
