import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { handlesById } from '../../account-names.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import { wideTable } from '../../look/wide-table.ts'
import type { BoxPage } from '../page.ts'

const shownMax = 100
const textCharactersMax = 160

/** `/audit?q&before`: who did what, latest first. */
export const auditPage: BoxPage = {
  of: 'box',
  path: '/audit',
  link: { group: 'Box', text: 'Audit log' },
  for: 'owner',
  async show({ url: { searchParams } }, { audit, accounts }) {
    const q = searchParams.get('q') || undefined
    const before = searchParams.get('before') || undefined
    const found = await audit.read({
      limit: shownMax + 1,
      ...(q === undefined ? {} : { text: q }),
      ...(before === undefined ? {} : { before }),
    })
    const entries = found.slice(0, shownMax)
    const older = found.length > shownMax ? (entries.at(-1)?.id ?? null) : null
    const handleOf = await handlesById(accounts)
    return { title: 'Audit log', body: html`${searchForm(q)}${table(entries, handleOf)}${more(older, q)}` }
  },
}

const searchForm = (q: string | undefined): Markup => html`<form class="filters" method="get" role="search">
<label for="q">Search</label><input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200"><button>Show</button></form>`

const table = (entries: readonly AuditEntry[], handleOf: (id: string) => string | null): Markup =>
  entries.length === 0
    ? html`<p>Nothing found.</p>`
    : html`<div class="stacks">${wideTable(
        'Audit log',
        html`<thead><tr><th>When (UTC)</th><th>Who</th><th>What</th><th>Account</th><th>To what</th><th>Before → after</th><th>From</th></tr></thead>
<tbody>${entries.map((entry) => row(entry, handleOf))}</tbody>`,
      )}</div>`

const row = (
  { at, actor, action, outcome, accountId, subject, address, before, after }: AuditEntry,
  handleOf: (id: string) => string | null,
): Markup =>
  html`<tr><td class="moment">${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}</td><td>${actor.label || actor.kind}</td>
<td>${action}${outcome === 'done' ? null : html` <span class="mark">${outcome}</span>`}</td><td>${accountId === null ? '' : (handleOf(accountId) ?? 'removed')}</td>
<td class="mono">${subject}</td><td class="wrap">${changeText(before)}${before !== null && after !== null ? ' → ' : null}${changeText(after)}</td><td>${address}</td></tr>`

/** As `state: live, version: 3`. */
function changeText(values: JsonObject | null): string {
  const text = Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') || 'none' : String(value)}`)
    .join(', ')
  return text.length > textCharactersMax ? `${text.slice(0, textCharactersMax)}…` : text
}

function more(older: string | null, q: string | undefined): Markup {
  const query = new URLSearchParams({ ...(q === undefined ? {} : { q }), ...(older === null ? {} : { before: older }) })
  const csv = new URLSearchParams({ format: 'csv', limit: '1000', ...(q === undefined ? {} : { q }) })
  return html`<p class="more">${older === null ? null : html`<a class="button" href="/audit?${query.toString()}">Older</a> `}<a href="/api/v1/audit?${csv.toString()}">As CSV</a></p>`
}
