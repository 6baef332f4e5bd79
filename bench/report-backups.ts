import type { MeasuredCommand } from './capture-box.ts'
import { mark, milliseconds, whole } from './report-figures.ts'
import { table } from './report-table.ts'
import type { BackupsResult } from './section-backups.ts'
import type { RestoreResult } from './section-restore.ts'

const delayMsMax = 2
/** Far below what is backed up: neither holds a file or a table as a whole. */
const peakMegabytesMax = 600

/** Nothing where the section did not run. */
export function backupsTable(result?: BackupsResult): string {
  if (!result) return ''
  const { storedEvents, alone, increments, bases } = result
  const row = (kind: string, { p50Ms, p99Ms }: BackupsResult['bases']): string[] => [
    kind,
    milliseconds(p50Ms),
    mark(p99Ms - alone.p99Ms <= delayMsMax, milliseconds(p99Ms)),
  ]
  const rows = [
    ['without backups', milliseconds(alone.p50Ms), milliseconds(alone.p99Ms)],
    row('with an increment every second', increments),
    row('while one base follows the other', bases),
  ]
  return table([`A form every 20 ms, ${whole(storedEvents)} stored events`, 'p50', 'p99'], rows)
}

/** Nothing where the section did not run. */
export function restoreTable(result?: RestoreResult): string {
  if (!result) return ''
  const { storedEvents, publishedMegabytes, backup, restore } = result
  const row = (command: string, { seconds, processorSeconds, peakMegabytes }: MeasuredCommand): string[] => [
    command,
    `${whole(seconds)} s`,
    `${whole(processorSeconds)} s`,
    mark(peakMegabytes <= peakMegabytesMax, `${whole(peakMegabytes)} MB`),
  ]
  const what = `${whole(storedEvents)} stored events and ${whole(publishedMegabytes)} MB of published files`
  return table(
    [what, 'Time', 'Processor', 'Peak memory'],
    [row('`capture backup now`', backup), row('`capture restore`', restore)],
  )
}
