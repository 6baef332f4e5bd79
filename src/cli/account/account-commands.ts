import type { RetentionSettings } from '../../account/account.ts'
import { type ContentCounts, contentNames } from '../../account/account-store.ts'
import { count, plural, timestamp } from '../../lib/quantities.ts'
import type { AccountContents } from '../../operations/account/remove-account.ts'
import type { ShownAccount } from '../../operations/account/show-account.ts'
import type { DomainSuffixes } from '../../operations/domain/reserved-domains.ts'
import { defineCommand, usageError } from '../command.ts'
import { NoBoxYet } from '../data-folder/prepare.ts'
import type { Layout } from '../output/style.ts'
import { type Cell, tableText } from '../output/table.ts'
import { uncollectedWarning } from '../output/uncollected.ts'

export const accountList = defineCommand({
  name: 'account list',
  summary: 'Lists the accounts on this box',
  details: '--json prints { "accounts": [{ "account", "name", "domains", "forms", "tracking" }] }.',
  async run(_, session) {
    const { listAccounts } = await import('../../operations/account/show-account.ts')
    const accounts = await session.withBox((box) => listAccounts(box)).catch(noneYet)
    const { config } = await session.loadConfig()
    const text = {
      headers: ['Account', 'Name', 'Domains', 'Forms', 'Tracking'],
      rows: accounts.map((row) => [
        row.account,
        row.name,
        row.domains.join(', '),
        row.forms,
        row.tracking ? 'on' : 'off',
      ]),
      empty: `There is no account in ${config.dataDir} yet: \`capture apply DIR\` publishes one.`,
    }
    return { json: { accounts }, text }
  },
})

/** Without a box there is no account, and listing accounts does not create one. */
function noneYet(error: unknown): [] {
  if (error instanceof NoBoxYet) return []
  throw error
}

export const accountShow = defineCommand({
  name: 'account show',
  summary: 'Shows the settings of an account, its forms, and how much it holds',
  details: `What is shown is what was last applied; change it in the site folder. Secrets are never printed.
--json prints { "account", "id", "settings", "trackingKeys": [{ "validUntil" }], "forms": [{ "id", "name", "version",
"registered" }], "deliveries": [{ "name", "kind",
"to", "forms", "paused", "waiting", "failed" }] where it has any, "holds": { "pages", "images", "files", "assets", "forms", "records" } }.`,
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
    `${contentParts(holds).join(', ')}.\n`,
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
    ['language', settings.language ?? 'en, and small pages in the visitor’s'],
    ['store_ip', settings.storeIp],
    ['ignore', settings.ignore.join(', ') || 'none: every visitor counts'],
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

export const accountDomains = defineCommand({
  name: 'account domains',
  summary: "Shows or changes the suffixes under which an account's own users connect names",
  details: `Below such a suffix the account's users and tokens connect any free name; any other new name needs a TXT record, which
their plan prints (docs/domains.md). Commands on this box, owners and tokens of the box need neither.
Removing a suffix leaves connected names connected. --json prints { "account", "suffixes": [] }.`,
  args: { account: { summary: "the account's handle" } },
  options: {
    add: { value: 'SUFFIX', summary: 'allow this name and every name below it' },
    remove: { value: 'SUFFIX', summary: 'allow them no longer' },
  },
  async run({ args: { account }, options: { add, remove } }, session) {
    const { addDomainSuffix, domainSuffixes, removeDomainSuffix } = await import(
      '../../operations/domain/reserved-domains.ts'
    )
    if (add !== undefined && remove !== undefined) throw usageError('Give --add or --remove, one at a time.')
    const suffix = add ?? remove
    if (suffix === undefined) return shown(await session.withBox((box) => domainSuffixes(box, account)))
    const { answer } = await session.act(add === undefined ? removeDomainSuffix : addDomainSuffix, { account, suffix })
    return shown(answer)
  },
})

const shown = ({ account, suffixes }: DomainSuffixes) => ({
  json: { account, suffixes },
  text:
    suffixes.length === 0
      ? `${account} has no suffix: each new name that its own users or tokens connect needs a TXT record.`
      : suffixes,
})

export const accountShowPersonal = defineCommand({
  name: 'account show-personal',
  summary: 'Shows or masks personal fields of leads to the clients of an account',
  details: `Masked are email addresses, names, phone numbers, and texts of more than 40 characters. It holds at once.
--json prints { "account", "shown" }.`,
  args: {
    account: { summary: "the account's handle" },
    show: { summary: 'on: clients see them; off: they are masked', choices: ['on', 'off'] },
  },
  async run({ args: { account, show } }, session) {
    const { showPersonal } = await import('../../console/user/colleague-acts.ts')
    const { answer } = await session.act(showPersonal, { account, show: show === 'on' })
    const text = answer.shown
      ? `Clients of ${account} see personal fields of its leads from now on.`
      : `Personal fields of leads are masked to clients of ${account} from now on.`
    return { json: answer, text }
  },
})

export const accountRemove = defineCommand({
  name: 'account remove',
  summary: 'Removes an account with everything it holds',
  details: `Without --yes it only prints what it would remove, and exits with status 2. Only a backup brings that back.
If it is interrupted, run it again to finish.
--json prints { "account", "removed": true|false, "domains", "pages", "images", "files", "assets", "forms", "records" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { yes: { summary: 'remove it' } },
  async run({ args, options }, session) {
    const { accountContents, removeAccount, removedAccountJson } = await import(
      '../../operations/account/remove-account.ts'
    )
    if (options.yes) {
      const { answer, isFinished, uncollected } = await session.act(removeAccount, args)
      const text = isFinished
        ? `There is no account "${answer.account}"; the leftovers of an interrupted removal have been deleted.`
        : `Removed ${answer.account}, and with it ${listed(answer)}.`
      return { json: answer, text, notes: uncollectedWarning(uncollected) }
    }
    const contents = await session.withBox((box) => accountContents(box, args.account))
    return {
      json: removedAccountJson(contents, false),
      text: `This would remove ${contents.account}, and with it ${listed(contents)}.`,
      notes: ['Nothing was removed: add --yes to remove it.'],
      exitStatus: 2,
    }
  },
})

const listed = ({ domains, ...counts }: AccountContents): string =>
  `${contentParts(counts).join(', ')} and the domains ${domains.join(', ')}`

const contentParts = (counts: ContentCounts): string[] =>
  contentNames.map((name) => plural(counts[name], name.slice(0, -1)))
