import { html, type Markup } from '../../lib/html.ts'
import { type ActName, actWords } from '../../operations/act-words.ts'
import type { AuditEntry } from './audit-log.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Enough to see whether two lines speak of the same. */
const shownCharacters = 6

/** Pages of an account that show the object of an act, by the first word of its name. */
const places: Readonly<Record<string, string>> = { person: 'persons', submission: 's', file: 's', page: 'pages' }

/** What a line of the log says somebody did. @param account the handle of its account; `''`: of the box */
export function sentenceOf({ action, subject }: Pick<AuditEntry, 'action' | 'subject'>, account: string): Markup {
  const words = Object.hasOwn(actWords, action) ? actWords[action as ActName] : `${action} {}`
  const [before = '', after] = words.split('{}')
  if (after === undefined) return html`${before}`
  return html`${before}${objectOf({ action, subject }, account)}${after}`
}

function objectOf({ action, subject }: Pick<AuditEntry, 'action' | 'subject'>, account: string): Markup {
  const name = html`<bdi>${uuid.test(subject) ? `…${subject.slice(-shownCharacters)}` : subject}</bdi>`
  const place = places[action.split('.')[0] ?? '']
  const isGone = action === 'person.erase' || action === 'submission.remove'
  if (place === undefined || account === '' || account === 'removed' || subject === '' || isGone) return name
  return html`<a href="/a/${account}/${place}/${encodeURIComponent(subject)}">${name}</a>`
}
