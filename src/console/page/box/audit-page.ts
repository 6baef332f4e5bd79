import { html } from '../../../lib/html.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { handlesById } from '../../account-names.ts'
import { pageOfAudit } from '../../api/audit.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import type { TableColumn } from '../../look/table.ts'
import { listPage } from '../list-page.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { cut } from '../values.ts'

const textCharactersMax = 160

interface AuditRow extends AuditEntry {
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
    empty: html`<p>Nothing found.</p>`,
    nothing: () => 'Nothing found.',
    more: 'Older',
  }),
}

const columns: TableColumn<AuditRow>[] = [
  { head: 'When (UTC)', kind: 'line', cell: ({ at }) => new Date(at).toISOString().slice(0, 19).replace('T', ' ') },
  {
    head: 'Who',
    kind: 'wrap',
    cell: ({ actor, address }) => html`${actor.label || actor.kind} <span class="soft">${address}</span>`,
  },
  {
    head: 'What',
    cell: ({ action, outcome }) =>
      html`${action}${outcome === 'done' ? null : html` <span class="mark">${outcome}</span>`}`,
  },
  {
    head: 'To what',
    kind: 'wrap',
    cell: ({ account, subject }) =>
      html`${account === '' ? null : html`<span class="soft">${account}</span> `}<span class="mono">${subject}</span>`,
  },
  {
    head: 'Before → after',
    kind: 'wrap',
    cell: ({ before, after }) =>
      html`${changeText(before)}${before !== null && after !== null ? ' → ' : null}${changeText(after)}`,
  },
]

/** As `state: live, version: 3`. */
function changeText(values: JsonObject | null): string {
  const text = Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : String(value)}`)
    .join(', ')
  return cut(text, textCharactersMax)
}
