import { existsSync, readFileSync } from 'node:fs'
import { below, places } from './places.ts'
import type { UnitParts } from './unit.ts'

/** The settings of the present unit; `null`: none, or not Capture's. */
export function installedUnit(tree: string): UnitParts | null {
  const file = below(tree, places.unit)
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  const [, executable] = /^ExecStart=(\S+) serve /m.exec(text) ?? []
  const [, user] = /^User=(\S+)$/m.exec(text) ?? []
  return executable === undefined || user === undefined ? null : { executable, user }
}
