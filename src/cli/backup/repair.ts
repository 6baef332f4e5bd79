import { resolve } from 'node:path'
import { instantOrNull } from '../../lib/instant.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { isWhole, type MissingRows, type RepairedBox, repair } from '../../operations/database/repair.ts'
import { defineCommand } from '../command.ts'
import { actingOwner, typedCommandLine } from '../data-folder/data-owner.ts'

export const repairCommand = defineCommand({
  name: 'repair',
  summary: 'Writes what can be read of a damaged data folder into a new one, and names what is missing',
  details: `For a box whose disk has damaged the database: \`capture doctor\` finds that. The data folder stays as it is, and while
\`serve\` runs nothing is repaired. Look at the disk first; the new folder may be on another one, and needs as much space.
Records that do not match their checksum are left out, or with --changed taken over as they are now. If persons and figures
cannot be read, they are derived from the records again: persons then get new ids, and reports lack what retention has
deleted.
An account whose settings cannot be read keeps its records; it has the settings of its kept site.toml, or plain ones without
tracking, until its folder is applied again.
Exit status 0: nothing is missing. 1: something is, and is named.
--json prints { "folder", "entries", "missing": [{ "table", "rows": N|null, "between": [{ "after": "…"|null, "before": "…"|null }],
"ids" }], "withoutSettings": [{ "account", "fromKeptFolder": true|false }], "missingFiles", "changed": [id],
"derivedAgain": true|false }; "ledger" is the table of the records.
  capture repair --to /mnt/new-disk/capture`,
  options: {
    to: {
      value: 'DIR',
      summary: 'the new folder (default: beside the data folder, with .repaired at the end of its name)',
    },
    changed: { summary: 'also take over records that do not match their checksum, as they are now' },
  },
  async run({ options }, session) {
    const { config } = await session.loadConfig()
    const { dataDir } = config
    const to = options.to === undefined ? `${dataDir}.repaired` : resolve(session.cwd, options.to)
    const { repairPorts } = await import('../open.ts')
    const owner = actingOwner({ dataDir, typed: typedCommandLine(session) })
    const ports = await repairPorts({ asOwner: owner.begin, asCaller: owner.end })
    const repaired = await repair(ports, { dataDir, to, keepsChanged: options.changed })
    return { json: asJson(repaired), text: sentencesOf(repaired, dataDir), exitStatus: isWhole(repaired) ? 0 : 1 }
  },
})

const asJson = ({ isDerivedAgain, missing, ...repaired }: RepairedBox) => ({
  ...repaired,
  missing: missing.map(({ between, ...rows }) => ({
    ...rows,
    between: between.map(({ after, before }) => ({ after: instantOrNull(after), before: instantOrNull(before) })),
  })),
  derivedAgain: isDerivedAgain,
})

function sentencesOf(repaired: RepairedBox, dataDir: string): string[] {
  const { folder, entries, missing, missingFiles, changed, isDerivedAgain } = repaired
  return [
    `${plural(entries, 'entry', 'entries')} of the ledger and everything else that can be read ${entries === 1 ? 'is' : 'are'} in ${folder}.`,
    ...missing.map(missingWords),
    ...missingFiles.map((file) => `Missing: the file ${file}.`),
    ...(changed.length === 0 ? [] : [`Taken over as they are now: ${changed.join(', ')}.`]),
    ...(isDerivedAgain ? ['Persons and figures were made of the records again: persons have new ids.'] : []),
    isWhole(repaired)
      ? 'Nothing is missing.'
      : 'What is missing may be in a backup: capture restore FILE, into another folder.',
    `Put it in the place of the old folder and look: mv ${dataDir} ${dataDir}.damaged && mv ${folder} ${dataDir} && capture doctor`,
    ...settingsWords(repaired),
  ]
}

/** Tables whose rows an apply writes anew. */
const published = ['asset', 'asset_version', 'destination', 'domain', 'form', 'kept_file', 'kept_folder']

/** What to do once the new folder is in its place. */
function settingsWords({ withoutSettings, missing }: RepairedBox): string[] {
  const named = (isKept: boolean) =>
    withoutSettings.flatMap(({ account, fromKeptFolder }) => (fromKeptFolder === isKept ? [account] : [])).join(', ')
  const [kept, lost] = [named(true), named(false)]
  const isIncomplete = withoutSettings.length > 0 || missing.some(({ table }) => published.includes(table))
  return [
    ...(kept === ''
      ? []
      : [
          `The settings of ${kept} are those of the kept site.toml, without secrets, splits and redirects: a bot check by another service refuses every form for now.`,
        ]),
    ...(lost === ''
      ? []
      : [
          `The settings of ${lost} are lost: for now nothing is tracked, no address of a visitor is kept, nothing expires, and forms on other websites are refused.`,
        ]),
    ...(isIncomplete
      ? ['Then apply the folders of the accounts again, which brings back what is published: capture apply DIR']
      : []),
  ]
}

function missingWords({ table, rows, between, ids }: MissingRows): string {
  const many = rows === null ? 'nobody knows how many' : plural(rows, 'row')
  if (table !== 'ledger') return `Missing of the table ${table}: ${many}.`
  const times = between.map(betweenWords).filter((words) => words !== '')
  const received = times.length === 0 ? '' : `, received ${times.join('; ')}`
  const named = ids.length === 0 ? '' : `; among them ${ids.join(', ')}`
  return `Missing of the records: ${rows === null ? many : plural(rows, 'record')}${received}${named}.`
}

function betweenWords({ after, before }: MissingRows['between'][number]): string {
  if (after !== null && before !== null) return `between ${timestamp(after)} and ${timestamp(before)}`
  if (after !== null) return `after ${timestamp(after)}`
  return before === null ? '' : `before ${timestamp(before)}`
}
