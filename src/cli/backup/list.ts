import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize, timestamp } from '../../lib/quantities.ts'
import type { ListedBackup } from '../../operations/backup/list-backups.ts'
import { defineCommand } from '../command.ts'
import { writeJsonArray } from '../output/print-result.ts'
import type { Cell, TextTable } from '../output/table.ts'

export const backupList = defineCommand({
  name: 'backup list',
  summary: 'Lists the moments that can be restored from the backup targets',
  details: `Oldest first. A base is the whole box; an increment is what was new since the previous one. It needs neither a box nor an identity:
capture.toml with [backup] to and the keys of the bucket are enough.
--json prints [{ "kind": "base"|"increment", "at", "from", "to", "bytes", "target" }]; "from" and "to" are positions in the
order of capture, and an increment begins where the previous one ends.`,
  options: { to: { value: 'TARGET', summary: 'only this target' } },
  async run({ options, json }, { out, loadConfig }) {
    const { config } = await loadConfig()
    const { chosenTargets } = await import('../../operations/backup/list-backups.ts')
    const { listBackups } = await import('../../operations/backup/list-backups.ts')
    const { openTargets } = await import('../data-folder/open-target.ts')
    const faults: string[] = []
    const lists = chosenTargets(openTargets(config.backup), options.to).map((opened) => listBackups(opened))
    const rows = reachable(lists, faults)
    if (json) await writeJsonArray(out, rows)
    const text = json ? [] : await tableOf(rows)
    return { text, notes: faults, exitStatus: faults.length === 0 ? 0 : 1 }
  },
})

/** A target that cannot be read does not hide the others. */
async function* reachable(lists: AsyncIterable<ListedBackup>[], faults: string[]): AsyncGenerator<ListedBackup> {
  for (const list of lists) {
    try {
      yield* list
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      faults.push(error.message)
    }
  }
}

/** Increments between two bases are one row: there are thousands of a day. */
async function tableOf(rows: AsyncIterable<ListedBackup>): Promise<TextTable> {
  const shown: Run[] = []
  for await (const row of rows) {
    const last = shown.at(-1)
    if (last === undefined || last.kind === 'base' || row.kind === 'base' || row.target !== last.target)
      shown.push({ ...row, until: row.at, count: 1 })
    else Object.assign(last, { until: row.at, to: row.to, bytes: last.bytes + row.bytes, count: last.count + 1 })
  }
  return {
    headers: ['From', 'Until', 'What', 'Records up to', 'Size', 'Target'],
    rows: shown.map(cellsOf),
    empty: 'There is no backup yet. A running server makes the first one; `capture backup now` does so at once.',
  }
}

interface Run extends ListedBackup {
  until: string
  count: number
}

function cellsOf({ kind, at, until, count, to, bytes, target }: Run): Cell[] {
  const what = kind === 'base' ? 'base' : count === 1 ? '1 increment' : `${count} increments`
  return [timestamp(Date.parse(at)), timestamp(Date.parse(until)), what, to, byteSize(bytes), target]
}
