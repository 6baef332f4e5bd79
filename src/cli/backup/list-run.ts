import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize, timestamp } from '../../lib/quantities.ts'
import { chosenTargets } from '../../operations/backup/chosen-targets.ts'
import { type ListedBackup, listBackups } from '../../operations/backup/list-backups.ts'
import type { OpenedTarget } from '../../operations/backup/target-ports.ts'
import type { ExitStatus } from '../command.ts'
import { drawnTable } from '../output/drawn-table.ts'
import { writeJsonArray } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import type { Cell } from '../output/table.ts'
import type { Session } from '../session.ts'
import { openTarget } from './targets/open-target.ts'

/** A target that cannot be read does not hide the others. */
export async function runBackupList(
  { to, json }: { to: string | undefined; json: boolean },
  session: Session,
): Promise<ExitStatus> {
  const { config } = await session.loadConfig()
  const chosen = chosenTargets(
    config.backup.to.map((url) => openTarget(url, config.backup)),
    to,
  )
  const faults: string[] = []
  const rows = reachable(chosen, faults)
  await (json ? writeJsonArray(session.out, rows) : printTable(rows, session))
  for (const fault of faults) session.err.write(`${printable(fault)}\n`)
  return faults.length === 0 ? 0 : 1
}

async function* reachable(chosen: OpenedTarget[], faults: string[]): AsyncGenerator<ListedBackup> {
  for (const opened of chosen) {
    try {
      yield* listBackups(opened)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      faults.push(error.message)
    }
  }
}

/** Increments between two bases are one row: there are thousands of a day. */
async function printTable(rows: AsyncIterable<ListedBackup>, session: Session): Promise<void> {
  const shown: Run[] = []
  for await (const row of rows) {
    const last = shown.at(-1)
    if (last === undefined || last.kind === 'base' || row.kind === 'base' || row.target !== last.target)
      shown.push({ ...row, until: row.at, count: 1 })
    else Object.assign(last, { until: row.at, to: row.to, bytes: last.bytes + row.bytes, count: last.count + 1 })
  }
  const table = {
    headers: ['From', 'Until', 'What', 'Records up to', 'Size', 'Target'],
    rows: shown.map(cellsOf),
    empty: 'There is no backup yet. A running server makes the first one; `capture backup now` does so at once.',
  }
  await session.out.write(drawnTable(table, session))
}

interface Run extends ListedBackup {
  until: string
  count: number
}

function cellsOf({ kind, at, until, count, to, bytes, target }: Run): Cell[] {
  const what = kind === 'base' ? 'base' : count === 1 ? '1 increment' : `${count} increments`
  return [timestamp(Date.parse(at)), timestamp(Date.parse(until)), what, to, byteSize(bytes), target]
}
