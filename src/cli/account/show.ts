import type { RetentionSettings } from '../../account/account.ts'
import { count, plural, timestamp } from '../../lib/quantities.ts'
import type { ShownAccount } from '../../operations/account/show-account.ts'
import { defineCommand } from '../command.ts'
import type { Layout } from '../output/style.ts'
import { type Cell, tableText } from '../output/table.ts'

export const accountShow = defineCommand({
  name: 'account show',
  summary: 'Shows the settings of an account, its forms, and how much it holds',
  details: `What is shown is what was last applied; change it in the site folder. Secrets are never printed.
--json prints { "account", "id", "settings", "trackingKeys": [{ "validUntil" }], "forms": [{ "id", "name", "version",
"registered" }], "deliveries": [{ "name", "kind",
"to", "forms", "paused", "waiting", "failed" }] where it has any, "holds": { "pages", "images", "files", "forms", "records" } }.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { showAccount, shownAccountJson } = await import('../../operations/account/show-account.ts')
    const shown = await session.withBox((box) => showAccount(box, args.account))
    return { json: shownAccountJson(shown), text: (layout) => asText(shown, layout) }
  },
})

function asText(shown: ShownAccount, { style, columns }: Layout): string {
  const { holds } = shown
  const forms = shown.forms.map(({ id, name, version, registered }): Cell[] => [
    id,
    name,
    version,
    registered ? 'registered' : { text: 'not registered', tone: 'doubtful' },
  ])
  return [
    tableText({ headers: ['Setting', 'Value'], rows: settingRows(shown), empty: '' }, style, columns),
    tableText(
      { headers: ['Form', 'Name', 'Version', 'State'], rows: forms, empty: 'It has no forms.' },
      style,
      columns,
    ),
    ...(shown.destinations.length === 0 ? [] : [tableText(destinationTable(shown), style, columns)]),
    `${plural(holds.pages, 'page')}, ${plural(holds.images, 'image')}, ${plural(holds.files, 'file')}, ${plural(holds.records, 'record')}.\n`,
  ].join('\n')
}

const destinationTable = ({ destinations }: ShownAccount) => ({
  headers: ['Delivery', 'Kind', 'To', 'State', 'Waiting', 'Failed'],
  rows: destinations.map(({ name, kind, to, paused, waiting, failed }): Cell[] => [
    name,
    kind,
    to,
    paused ? { text: 'paused', tone: 'doubtful' } : 'sends',
    waiting,
    failed,
  ]),
  empty: '',
})

function settingRows({ handle, settings, trackingKeys }: ShownAccount): Cell[][] {
  const { tracking, botCheck } = settings
  return [
    ['account', handle],
    ['name', settings.name],
    ['domains', settings.domains.join(', ')],
    ['origins', settings.origins.join(', ') || 'none: only its own pages may post'],
    ['robots', settings.robots ?? 'no header'],
    ['home', settings.home ?? 'none'],
    ['contact', settings.contact ?? 'none'],
    ['payload_limit', settings.payloadBytesMax],
    ['timezone', settings.timezone],
    ['store_ip', settings.storeIp],
    ['tracking', tracking.enabled ? 'on' : 'off'],
    ['opt-in', tracking.requireOptIn ? `required; signal ${tracking.consentSignal}` : 'not required'],
    ['tracking key', keyText(trackingKeys)],
    ['bot check', `${botCheck.provider}, ${botCheck.required ? 'on' : 'off'} unless a form says otherwise`],
    ['retention', retentionText(settings.retention)],
  ].map(([name = '', value = '']) => [name, typeof value === 'number' ? count(value) : value])
}

/** How long records are kept; refused submissions have a limit in any case. */
const retentionText = ({ submissionsDays, eventsDays, refusedDays }: RetentionSettings): string =>
  [
    `submissions ${termText(submissionsDays)}`,
    `events ${termText(eventsDays)}`,
    `refused submissions ${termText(refusedDays)}`,
  ].join(', ')

export const termText = (days: number | null): string => (days === null ? 'until erased' : plural(days, 'day'))

function keyText(keys: ShownAccount['trackingKeys']): string {
  if (keys.length === 0) return 'revoked: `capture key rotate` makes a new one'
  const ends = keys.flatMap(({ validUntil }) => (validUntil === null ? [] : [timestamp(validUntil)]))
  return ends.length === 0 ? 'one valid' : `one valid, ${ends.length} old until ${ends.join(', ')}`
}
