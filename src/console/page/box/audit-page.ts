import { fieldLabel } from '../../../account/field-label.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { accountNames } from '../../../operations/account/account-names.ts'
import { pageOfAudit } from '../../api/audit.ts'
import type { AuditLine } from '../../audit/audit-log.ts'
import { type RefusalKind, refusalKinds } from '../../audit/refused-tries.ts'
import { isNamedByChange, sentenceOf } from '../../audit/sentence.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { option } from '../../look/fields.ts'
import { mark } from '../../look/notice.ts'
import type { TableColumn } from '../../look/table.ts'
import { boxTimeText, localTimeText } from '../../look/time-text.ts'
import { listPage } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { cut, type Fact, factsTable } from '../values.ts'

const textCharactersMax = 160
/** A sum names up to twenty addresses. */
const sumCharactersMax = 600

interface AuditRow extends AuditLine {
  /** The account's handle; `''`: of the box, or of an account that is gone. */
  account: string
  /** `null`: of the box. */
  accountName: string | null
}

/** `/audit?q&account&user&failed&cursor`: who did what, latest first. */
export const auditPage: BoxPage = {
  path: '/audit',
  link: { group: 'Box', text: 'Audit log' },
  for: 'owner',
  ...listPage<AuditRow, PageCall>({
    title: 'Audit log',
    api: '/audit',
    shownMax: 100,
    narrowed: { asked: narrowedIn, fields: narrowing },
    async read(call, box, asked) {
      const { failed, ...narrowed } = narrowedIn(call)
      const { items, next } = await pageOfAudit({ ...asked, ...narrowed, failed: failed !== undefined }, box)
      const { handleById, nameById } = accountNames(await box.accounts.list())
      const rows = items.map((entry) => ({
        ...entry,
        account: handleById(entry.accountId ?? '') ?? '',
        accountName: entry.accountId === null ? null : (nameById(entry.accountId) ?? 'a removed account'),
      }))
      return { items: rows, next }
    },
    columns: () => columns,
    groupOf: ({ at }) => `${dayAndHour(at)[0]}, UTC`,
    empty: () => html`<p>Nothing found.</p>`,
    nothing: () => 'Nothing found.',
    more: 'Older',
  }),
}

function narrowedIn({ url: { searchParams } }: PageCall) {
  const asked = (name: string) => searchParams.get(name) || undefined
  return { account: asked('account'), user: asked('user'), failed: asked('failed') === 'true' ? 'true' : undefined }
}

async function narrowing(call: PageCall, { accounts, users }: ConsoleBox): Promise<Markup[]> {
  const { account, user, failed } = narrowedIn(call)
  const listed = await accounts.list()
  const { nameOf } = accountNames(listed)
  const emails = new Set([...(await users.list()).map(({ email }) => email), ...(user === undefined ? [] : [user])])
  return [
    choice(
      'account',
      'Any account',
      listed.map(({ handle }) => option(handle, account, nameOf(handle))),
    ),
    choice(
      'user',
      'Any user',
      [...emails].map((email) => option(email, user)),
    ),
    html`<label class="inline"><input type="checkbox" name="failed" value="true"${failed === undefined ? null : html` checked`}> Failed only</label>`,
  ]
}

const choice = (name: string, all: string, options: readonly Markup[]): Markup =>
  html`<select name="${name}" aria-label="${fieldLabel(null, name)}"><option value="">${all}</option>${options}</select>`

const columns: TableColumn<AuditRow>[] = [
  {
    head: 'Time',
    kind: 'line',
    cell: ({ at }) => html`<time datetime="${new Date(at).toISOString()}">${dayAndHour(at)[1]}</time>`,
  },
  {
    head: 'Who',
    kind: 'wrap',
    cell: (row) => (isSum(row) ? 'More tries' : who(row.actor)),
  },
  {
    head: 'What',
    kind: 'wrap',
    cell: (row) =>
      html`${sentenceOf(row, row.account)}${row.accountName === null ? null : html` <span class="soft">in ${row.accountName}</span>`}${row.outcome === 'done' ? null : html` ${mark(row.outcome, row.outcome === 'failed' ? 'bad' : 'doubtful')}`}${changeLine(row)}${details(row)}`,
  },
]

/** As `28 Nov 2026` and `14:15`. */
const dayAndHour = (at: number): [string, string] => {
  const [day = '', hour = ''] = localTimeText(at, 'UTC').split(', ')
  return [day, hour]
}

/** What was refused and has no lines of its own. */
const isSum = ({ action }: Pick<AuditRow, 'action'>): boolean => action === 'refusals.sum'

/** A command's name is that of a user of the machine. */
const who = ({ label, kind }: AuditRow['actor']): Markup =>
  html`${label || whoElse[kind]}${label && kind !== 'user' ? html` <span class="hint">${kind}</span>` : null}`
const whoElse = { user: 'a user', token: 'a token', command: 'a command', nobody: 'somebody' }
/** A command's is its name. */
const actorIds: Partial<Record<keyof typeof whoElse, string>> = { user: 'User id', token: 'Token id' }

/** First what somebody may have to act on, then what programs and support look for. */
function details(row: AuditRow): Markup {
  const { action, subject, address, actor, id, seq, at } = row
  const actorId = actorIds[actor.kind]
  const why = whyNot(row)
  const facts: Fact[] = [
    ...(why === null ? [] : [[`Why it was ${row.outcome === 'failed' ? 'not done' : 'refused'}`, why] as const]),
    ['IP address', address || 'none, the box itself'],
  ]
  const ids = [
    ['Time', new Date(at).toISOString()],
    ['Action', action],
    ['Target', subject],
    [actorId ?? '', actorId === undefined ? '' : actor.id],
    ['Line', String(seq)],
    ['Line id', id],
  ].flatMap(([name = '', text]): Fact[] => (text ? [[name, html`<code class="wrap">${text}</code>`]] : []))
  return html`<details class="about"><summary>Details<span class="unseen"> of line ${String(seq)}</span></summary><div class="card">${factsTable(facts)}<h3>For programs and support</h3>${factsTable(ids)}</div></details>`
}

/** Why somebody was refused. */
const refusals: Record<RefusalKind, string> = {
  wrong_password: 'wrong password or code',
  unknown_user: 'no user has this address',
  wrong_passkey: 'wrong passkey',
  wrong_proof: 'wrong password, code or passkey of somebody signed in',
  wrong_token: 'wrong, expired or revoked token',
  forbidden: 'no access',
  cross_site: 'sent from another site',
  too_many: 'too many tries',
}

/** `null`: it was done, or the log does not say. */
function whyNot({ outcome, after }: Pick<AuditRow, 'outcome' | 'after'>): string | null {
  const { kind, reason } = after ?? {}
  if (outcome === 'done') return null
  const refused = refusalKinds.find((name) => name === kind)
  return refused === undefined ? (typeof reason === 'string' ? reason : null) : refusals[refused]
}

/** As `state: preview → state: live, version: 3`. */
export function changeLine(row: Pick<AuditRow, 'action' | 'outcome' | 'subject' | 'before' | 'after'>): Markup | null {
  const { kind, endpoint } = row.after ?? {}
  const refused = row.outcome === 'refused' && refusalKinds.find((name) => name === kind)
  if (refused && endpoint !== undefined)
    return html` <span class="hint change">${refusals[refused]}: <code>${String(endpoint)}</code></span>`
  if (isSum(row)) return html` <span class="hint change">${sumText(row.after ?? {})}</span>`
  const isNamed = isNamedByChange(row)
  const texts = [row.before, row.after].map((values) => changeText(values, isNamed)).filter((text) => text !== '')
  return texts.length === 0 ? null : html` <span class="hint change">${texts.join(' → ')}</span>`
}

/** As `5 × wrong password or code, since 22 Nov 2026, 09:15 UTC, from 192.0.2.1 (5)`. */
function sumText({ since, addresses, ...counts }: JsonObject): string {
  const kinds = refusalKinds.filter((kind) => kind in counts).map((kind) => `${counts[kind]} × ${refusals[kind]}`)
  const from = Array.isArray(addresses) ? addresses.map((each) => String(each).replace(/: (\d+)$/, ' ($1)')) : []
  return cut(`${kinds.join(', ')}, since ${boxTimeText(String(since))}, from ${from.join(', ')}`, sumCharactersMax)
}

/** What it says twice is said once. @param isNamed the sentence has the name already */
function changeText(values: JsonObject | null, isNamed: boolean): string {
  const shown = Object.entries(values ?? {})
    .filter(([name, value]) => !(Array.isArray(value) && value.length === 0) && !(isNamed && name === 'name'))
    .map(([name, value]) => [name, valueText(value)] as const)
  const text = shown
    .filter(([, text], at) => shown.findIndex(([, other]) => other === text) === at)
    .map(([name, text]) => `${fieldLabel(null, name).toLowerCase()}: ${text}`)
    .join(', ')
  return cut(text, textCharactersMax)
}

function valueText(value: JsonValue): string {
  if (Array.isArray(value)) return value.map((each) => String(each).replace(changedThing, inChangedWords)).join(', ')
  return typeof value === 'string' && isInstant.test(value) ? boxTimeText(value) : String(value)
}

const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Of the list of what a publication changed, as `create form Contact`. */
const changedThing = /^(create|update|delete) (?:key )?/
const changedWords: Readonly<Record<string, string>> = { create: 'new', update: 'changed', delete: 'removed' }
const inChangedWords = (_: string, action: string): string => `${changedWords[action]} `
