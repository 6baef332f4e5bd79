import { processEnvironment } from '../config/environment.ts'
import { systemClock } from '../lib/clock.ts'
import { standardError, standardOutput } from './output/streams.ts'
import type { World } from './session.ts'

/** The world of this very process. */
export function processWorld(): World {
  return {
    argv: process.argv.slice(2),
    env: processEnvironment(),
    cwd: process.cwd(),
    clock: systemClock,
    out: standardOutput(),
    err: standardError(),
  }
}
