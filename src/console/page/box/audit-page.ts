import { fieldLabel } from '../../../account/field-label.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { accountNames } from '../../../operations/account/account-names.ts'
import { refusalWords } from '../../../operations/act-words.ts'
import { pageOfAudit } from '../../api/audit.ts'
import type { AuditLine } from '../../audit/audit-log.ts'
import { sentenceOf } from '../../audit/sentence.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { option } from '../../look/fields.ts'
import { mark } from '../../look/notice.ts'
import type { TableColumn } from '../../look/table.ts'
import { localTimeText } from '../../look/time-text.ts'
import { listPage } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { type Fact, factsTable } from '../values.ts'
import { changeWords, isSum } from './audit-change.ts'

interface AuditRow extends AuditLine {
  /** The account's handle; `''`: of the box, or of an account that is gone. */
  account: string
  /** `null`: of the box. */
  accountName: string | null
  /** Of the user or token that its subject is; absent: it is something else, or gone. */
  subjectName: string | undefined
}

/** `/audit?q&account&user&failed&cursor`: who did what, latest first. */
export const auditPage: BoxPage = {
  path: '/audit',
  link: { group: 'Box', text: 'Audit log', icon: 'lines' },
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
      const names = new Map([
        ...(await box.users.list()).map(({ id, email }) => [id, email] as const),
        ...(await box.tokens.list()).map(({ id, name }) => [id, name] as const),
      ])
      const rows = items.map((entry) => ({
        ...entry,
        subjectName: names.get(entry.subject),
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
    cell(row) {
      const { line, all } = changeWords(row)
      return html`${sentenceOf(row, row.account)}${row.accountName === null ? null : html` <span class="soft">in ${row.accountName}</span>`}${outcomeMark(row)}${line}${details(row, all)}`
    },
  },
]

/** `null`: it was done, or the sentence says it. */
const outcomeMark = ({ action, outcome }: AuditRow): Markup | null =>
  outcome === 'done' || Object.hasOwn(refusalWords, action)
    ? null
    : html` ${mark(outcome, outcome === 'failed' ? 'bad' : 'doubtful')}`

/** As `28 Nov 2026` and `14:15`. */
const dayAndHour = (at: number): [string, string] => {
  const [day = '', hour = ''] = localTimeText(at, 'UTC').split(', ')
  return [day, hour]
}

/** A command's name is that of a user of the machine. */
const who = ({ label, kind }: AuditRow['actor']): Markup =>
  html`${label || whoElse[kind]}${label && kind !== 'user' ? html` <span class="hint">${kind}</span>` : null}`
const whoElse = { user: 'a user', token: 'a token', command: 'a command', nobody: 'somebody' }
/** A command's is its name. */
const actorIds: Partial<Record<keyof typeof whoElse, string>> = { user: 'User id', token: 'Token id' }

/** First what somebody may want to know, then what programs and support look for. */
function details(row: AuditRow, all: string | null): Markup {
  const { action, subject, address, actor, after, id, seq, at } = row
  const actorId = actorIds[actor.kind]
  const facts: Fact[] = [
    ['IP address', address || 'none, the box itself'],
    ...(all === null ? [] : [['Changes', all] as const]),
  ]
  const ids = [
    ['Exact time', new Date(at).toISOString()],
    ['Action', action],
    ['Asked for', typeof after?.endpoint === 'string' ? after.endpoint : ''],
    ['Target', subject],
    [actorId ?? '', actorId === undefined ? '' : actor.id],
    ['Line', String(seq)],
    ['Line id', id],
  ].flatMap(([name = '', text]): Fact[] => (text ? [[name, html`<code class="wrap">${text}</code>`]] : []))
  return html`<details class="about"><summary>Details<span class="unseen"> of line ${String(seq)}</span></summary><div class="card">${factsTable([...facts, ...ids])}</div></details>`
}
