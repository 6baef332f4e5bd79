import { html, type Markup } from '../../../lib/html.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { stackedTable } from '../../look/wide-table.ts'
import { localTime } from '../local-time.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { publishForms, showPublish } from './publish-flow.ts'

/** `/a/ACCOUNT/publish`: takes a folder, shows its plan, and publishes it. */
export const publishPage: AccountPage = {
  of: 'account',
  path: '/a/:account/publish',
  link: { group: 'Site', text: 'Publish' },
  scope: 'publish',
  async show(call, box) {
    const shown = await showPublish(call, box)
    if (call.url.searchParams.has('upload'))
      return { title: shown.status === undefined ? 'What would change' : 'Publish', ...shown }
    return { title: 'Publish', body: html`${shown.body}${await historyPart(call, box)}` }
  },
  forms: { scope: 'publish', ...publishForms },
}

const shownMax = 20
const subjectsShown = 3

/** Who published what, latest first. */
async function historyPart({ account }: AccountPageCall, box: Pick<ConsoleBox, 'publications'>): Promise<Markup> {
  const notes = await box.publications.read(account.id, shownMax)
  if (notes.length === 0) return html`<h2>History</h2><p>No publication yet.</p>`
  const rows = notes.map(
    ({ at, by, subjects, subjectCount }) =>
      html`<tr><td>${localTime(new Date(at).toISOString(), account.settings.timezone)}</td><td>${by.name} <span class="mark">${by.via}</span></td><td>${subjectsText(subjects, subjectCount)}</td></tr>`,
  )
  return html`<h2>History</h2>${stackedTable('History', html`<thead><tr><th>When</th><th>Who</th><th>What</th></tr></thead><tbody>${rows}</tbody>`)}`
}

function subjectsText(subjects: readonly string[], count: number): string {
  if (count === 0) return 'no changes'
  const shown = subjects.slice(0, subjectsShown).join(', ')
  return count > subjectsShown ? `${shown} and ${count - subjectsShown} more` : shown
}
