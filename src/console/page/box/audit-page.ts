import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { handlesById } from '../../account-names.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import { pageOfAudit } from '../../audit/page-of-audit.ts'
import { stackedTable } from '../../look/wide-table.ts'
import { askedOf, listWays, searchForm } from '../list-parts.ts'
import type { BoxPage } from '../page.ts'

const shownMax = 100
const textCharactersMax = 160

/** `/audit?q&cursor`: who did what, latest first. */
export const auditPage: BoxPage = {
  of: 'box',
  path: '/audit',
  link: { group: 'Box', text: 'Audit log' },
  for: 'owner',
  async show({ url }, box) {
    const asked = askedOf(url, shownMax)
    const { items, next } = await pageOfAudit(asked, box)
    const list = table(items, await handlesById(box.accounts))
    const ways = listWays(url, { api: '/audit', next, word: 'Older', asked: { q: asked.q } })
    return { title: 'Audit log', body: html`${searchForm(asked.q)}${list}${ways}` }
  },
}

const table = (entries: readonly AuditEntry[], handleOf: (id: string) => string | null): Markup =>
  entries.length === 0
    ? html`<p>Nothing found.</p>`
    : stackedTable(
        'Audit log',
        html`<thead><tr><th>When (UTC)</th><th>Who</th><th>What</th><th>To what</th><th>Before → after</th></tr></thead>
<tbody>${entries.map((entry) => row(entry, handleOf))}</tbody>`,
      )

const row = (
  { at, actor, action, outcome, accountId, subject, address, before, after }: AuditEntry,
  handleOf: (id: string) => string | null,
): Markup =>
  html`<tr><td class="line">${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}</td><td class="wrap">${actor.label || actor.kind} <span class="soft">${address}</span></td>
<td>${action}${outcome === 'done' ? null : html` <span class="mark">${outcome}</span>`}</td>
<td class="wrap">${accountId === null ? null : html`<span class="soft">${handleOf(accountId) ?? 'removed'}</span> `}<span class="mono">${subject}</span></td>
<td class="wrap">${changeText(before)}${before !== null && after !== null ? ' → ' : null}${changeText(after)}</td></tr>`

/** As `state: live, version: 3`. */
function changeText(values: JsonObject | null): string {
  const text = Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : String(value)}`)
    .join(', ')
  return text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text
}
