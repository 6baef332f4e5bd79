import { readFileSync } from 'node:fs'
import type { ClockReading } from '../../../processing/forgetting/clock-watch.ts'

/** The clock, and on Linux what is known of the machine's present boot. */
export function readClock(now: number): ClockReading {
  try {
    const [seconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ')
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { at: now, bootId, uptimeMs: Math.round(Number(seconds) * 1000) }
  } catch {
    return { at: now, bootId: null, uptimeMs: null }
  }
}
