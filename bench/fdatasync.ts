import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from './median.ts'

const blockBytes = 4096
const blocks = 1000

/** How long the disk takes to make one more block durable: what a durable answer can never be faster than. */
export function measureFdatasync(folder: string): { p50Us: number; p99Us: number } {
  const file = join(folder, 'fdatasync.probe')
  const descriptor = openSync(file, 'w')
  try {
    const block = Buffer.alloc(blockBytes, 1)
    const times: number[] = []
    for (let written = 0; written < blocks; written++) {
      const started = Bun.nanoseconds()
      writeSync(descriptor, block)
      fdatasyncSync(descriptor)
      times.push((Bun.nanoseconds() - started) / 1000)
    }
    return { p50Us: percentile(times, 0.5), p99Us: percentile(times, 0.99) }
  } finally {
    closeSync(descriptor)
    rmSync(file)
  }
}
