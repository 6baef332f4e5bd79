import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { handlesById } from '../../account-names.ts'
import { pageOfAudit } from '../../api/audit.ts'
import type { AuditLine } from '../../audit/audit-log.ts'
import { sentenceOf } from '../../audit/sentence.ts'
import { mark } from '../../look/notice.ts'
import type { TableColumn } from '../../look/table.ts'
import { listPage } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { boxTime, cut, type Fact, factsTable } from '../values.ts'

const textCharactersMax = 160

interface AuditRow extends AuditLine {
  /** The account's handle; `''`: of the box. */
  account: string
}

/** `/audit?q&cursor`: who did what, latest first. */
export const auditPage: BoxPage = {
  path: '/audit',
  link: { group: 'Box', text: 'Audit log' },
  for: 'owner',
  ...listPage<AuditRow, PageCall>({
    title: 'Audit log',
    api: '/audit',
    shownMax: 100,
    async read(_, box, asked) {
      const { items, next } = await pageOfAudit(asked, box)
      const handleOf = await handlesById(box.accounts)
      const accountOf = (id: string | null) => (id === null ? '' : (handleOf(id) ?? 'removed'))
      return { items: items.map((entry) => ({ ...entry, account: accountOf(entry.accountId) })), next }
    },
    columns: () => columns,
    empty: () => html`<p>Nothing found.</p>`,
    nothing: () => 'Nothing found.',
    more: 'Older',
  }),
}

const columns: TableColumn<AuditRow>[] = [
  { head: 'When', label: true, kind: 'line', cell: ({ at }) => boxTime(at) },
  {
    head: 'Who did what',
    label: 'who',
    kind: 'wrap',
    cell: (row) =>
      html`<strong>${row.actor.label || whoElse[row.actor.kind]}</strong> ${sentenceOf(row, row.account)}${row.account === '' ? null : html` <span class="soft">in ${row.account}</span>`}${row.outcome === 'done' ? null : html` ${mark(row.outcome, row.outcome === 'failed' ? 'bad' : 'doubtful')}`}`,
  },
  {
    head: 'Before → after',
    label: true,
    kind: 'wrap',
    cell: ({ before, after }) =>
      html`${changeText(before)}${before !== null && after !== null ? ' → ' : null}${changeText(after)}`,
  },
  { head: 'Details', isUnseen: true, cell: details },
]

const whoElse = { user: 'a user', token: 'a token', command: 'a command', nobody: 'somebody' }

function details({ action, subject, address, actor, id, seq, at }: AuditRow): Markup {
  const facts: Fact[] = [
    ['Name', html`<code>${action}</code>`],
    ['Object', html`<code class="wrap">${subject || 'none'}</code>`],
    ['From', address || 'the box itself'],
    ['Actor', html`${actor.kind} <code class="wrap">${actor.id}</code>`],
    ['At', html`<code>${new Date(at).toISOString()}</code>`],
    ['Line', html`${String(seq)} <code class="wrap">${id}</code>`],
  ]
  return html`<details><summary>Details<span class="unseen"> of line ${String(seq)}</span></summary>${factsTable(facts)}</details>`
}

/** As `state: live, version: 3`. */
function changeText(values: JsonObject | null): string {
  const text = Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : String(value)}`)
    .join(', ')
  return cut(text, textCharactersMax)
}
