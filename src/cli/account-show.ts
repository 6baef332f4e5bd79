import type { RetentionSettings, StoredAccount } from '../account/account.ts'
import type { RemovalCounts } from '../account/account-store.ts'
import { accountNamed } from './account-named.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { count, plural, timestamp } from './output/quantities.ts'
import { type Style, styleFor } from './output/style.ts'
import { type Cell, tableText } from './output/table.ts'

export const accountShow = defineCommand({
  name: 'account show',
  summary: 'Shows the settings of an account, its forms, and how much it holds',
  details: `What is shown is what was last applied; change it in the site folder. Secrets are never printed.
--json prints { "account", "id", "settings", "trackingKeys": [{ "validUntil" }], "forms": [{ "id", "name", "version",
"registered" }], "holds": { "pages", "images", "files", "forms", "records" } }.`,
  args: { account: { summary: "the account's handle" } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { withBox } = await import('./with-box.ts')
    const shown = await withBox(session, async ({ accounts }) => {
      const account = await accountNamed(accounts, args.account)
      return { account, holds: await accounts.countsOf(account.id) }
    })
    const now = session.clock.now()
    if (json) await session.out.write(toJson(asResult(shown, now)))
    else
      await session.out.write(
        asText(shown, now, { style: styleFor(session.out, session.env), columns: session.out.columns }),
      )
    return 0
  },
})

interface Shown {
  account: StoredAccount
  holds: RemovalCounts
}

function asResult({ account, holds }: Shown, now: number) {
  const { secret, ...botCheck } = account.settings.botCheck
  return {
    account: account.handle,
    id: account.id,
    settings: { ...account.settings, botCheck: { ...botCheck, hasSecret: secret !== '' } },
    trackingKeys: keysInForce(account, now).map(({ validUntil }) => ({
      validUntil: validUntil === null ? null : new Date(validUntil).toISOString(),
    })),
    forms: account.forms.map(({ id, name, version, registered }) => ({ id, name, version, registered })),
    holds,
  }
}

const keysInForce = ({ trackingKeys }: StoredAccount, now: number) =>
  trackingKeys.filter(
    ({ fingerprint, validUntil }) => fingerprint !== null && (validUntil === null || now < validUntil),
  )

interface Drawn {
  style: Style
  /** Of the terminal; absent: it is none. */
  columns: number | undefined
}

function asText(shown: Shown, now: number, { style, columns }: Drawn): string {
  const { account, holds } = shown
  const forms = account.forms.map(({ id, name, version, registered }): Cell[] => [
    id,
    name,
    version,
    registered ? 'registered' : { text: 'not registered', tone: 'doubtful' },
  ])
  return [
    tableText({ headers: ['Setting', 'Value'], rows: settingRows(shown, now), empty: '' }, style, columns),
    tableText(
      { headers: ['Form', 'Name', 'Version', 'State'], rows: forms, empty: 'It has no forms.' },
      style,
      columns,
    ),
    `${plural(holds.pages, 'page')}, ${plural(holds.images, 'image')}, ${plural(holds.files, 'file')}, ${plural(holds.records, 'record')}.\n`,
  ].join('\n')
}

function settingRows({ account }: Shown, now: number): Cell[][] {
  const { settings } = account
  const { tracking, botCheck } = settings
  return [
    ['account', account.handle],
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
    ['tracking key', keyText(account, now)],
    ['bot check', `${botCheck.provider}, ${botCheck.required ? 'on' : 'off'} unless a form says otherwise`],
    ['retention', retentionText(settings.retention)],
  ].map(([name = '', value = '']) => [name, typeof value === 'number' ? count(value) : value])
}

/** How long records are kept; refused submissions have a limit in any case. */
const retentionText = ({ submissionsDays, eventsDays, refusedDays }: RetentionSettings): string =>
  [
    `submissions ${daysText(submissionsDays)}`,
    `events ${daysText(eventsDays)}`,
    `refused submissions ${daysText(refusedDays)}`,
  ].join(', ')

export const daysText = (days: number | null): string => (days === null ? 'until erased' : plural(days, 'day'))

function keyText(account: StoredAccount, now: number): string {
  const keys = keysInForce(account, now)
  if (keys.length === 0) return 'revoked: `capture key rotate` mints a new one'
  const ends = keys.flatMap(({ validUntil }) => (validUntil === null ? [] : [timestamp(validUntil)]))
  return ends.length === 0 ? 'one in force' : `one in force, ${ends.length} old until ${ends.join(', ')}`
}
