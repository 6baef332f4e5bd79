import type { Sums } from '../../../cluster/replica.ts'
import { openReader } from '../database/connection.ts'
import { breath } from '../database/in-steps.ts'
import { processedTo } from '../processing/processed-to.ts'
import { countStale } from '../refolding/stale-kind.ts'
import { tables } from '../schema/tables.ts'
import { knownPosition, lastEntry } from './position.ts'

const rowsPerStep = 500

/** What all nodes derive alike. */
const summed = tables.flatMap(({ name, is, move, alike = 'true' }) =>
  is === 'derived' && move === 'copied' && alike !== 'never' ? [{ name, alike }] : [],
)

/**
 * Sums up the derived tables as they are now, while others write on. In whatever order rows are read, a table has one sum.
 *
 * @returns `null`: something is not linked, or not processed yet
 */
export function beginSums(databaseFile: string): Promise<Sums> | null {
  const reader = openReader(databaseFile)
  const { raw } = reader
  raw.run('BEGIN')
  const end = lastEntry(raw)
  if (knownPosition(raw).linkedTo >= end && processedTo(reader) >= end && countStale(reader) === 0)
    return sumsIn(raw).finally(() => raw.close())
  raw.close()
  return null
}

async function sumsIn(raw: ReturnType<typeof openReader>['raw']): Promise<Sums> {
  const sums: Sums = {}
  for (const { name, alike } of summed) {
    let sum = 0n
    let rows = 0
    for (const row of raw.query(`SELECT * FROM "${name}" WHERE ${alike}`).iterate()) {
      sum += BigInt(Bun.hash(JSON.stringify(row)))
      rows++
      if (rows % rowsPerStep === 0) await breath()
    }
    sums[name] = `${rows} ${BigInt.asUintN(64, sum).toString(16)}`
  }
  return sums
}
