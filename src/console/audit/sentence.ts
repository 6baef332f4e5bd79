import { html, type Markup } from '../../lib/html.ts'
import { type ActName, actWords } from '../../operations/act-words.ts'
import type { AuditEntry } from './audit-log.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Enough to see whether two lines speak of the same. */
const shownCharacters = 6

/** Pages of an account that show the object of an act, by the first word of its name. */
const places: Readonly<Record<string, string>> = { person: 'persons', submission: 's', file: 's', page: 'pages' }

/** What a line of the log says somebody did. @param account the handle of its account; `''`: of the box */
export function sentenceOf(line: Named & Pick<AuditEntry, 'action'>, account: string): Markup {
  const { action } = line
  const words = Object.hasOwn(actWords, action) ? actWords[action as ActName] : `${action} {}`
  const [before = '', after] = words.split('{}')
  if (after === undefined) return html`${before}`
  return html`${before}${objectOf(line, account)}${after}`
}

type Named = Pick<AuditEntry, 'subject' | 'after'>

/** Whether the change has the name of an object that is known by its id. */
export const isNamedByChange = ({ subject, after }: Named): boolean =>
  uuid.test(subject) && typeof after?.name === 'string'

function nameOf(line: Named): string {
  const { subject, after } = line
  if (!uuid.test(subject)) return subject
  return isNamedByChange(line) ? String(after?.name) : `…${subject.slice(-shownCharacters)}`
}

function objectOf(line: Named & Pick<AuditEntry, 'action'>, account: string): Markup {
  const { action, subject } = line
  const name = html`<bdi>${nameOf(line)}</bdi>`
  const place = places[action.split('.')[0] ?? '']
  const isGone = action === 'person.erase' || action === 'submission.remove'
  if (place === undefined || account === '' || account === 'removed' || subject === '' || isGone) return name
  return html`<a href="/a/${account}/${place}/${encodeURIComponent(subject)}">${name}</a>`
}
