import { html, type Markup } from '../../lib/html.ts'
import { actWords, refusalWords } from '../../operations/act-words.ts'
import type { AuditEntry } from './audit-log.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Enough to see whether two lines speak of the same. */
const shownCharacters = 6

/** Pages of an account that show the object of an act, by the first word of its name. */
const places: Readonly<Record<string, string>> = { person: 'persons', submission: 's', file: 's', page: 'pages' }

/** What a line of the log says somebody did, or tried to do. @param account the handle of its account; `''`: there is none */
export function sentenceOf(line: Named & Pick<AuditEntry, 'action' | 'outcome'>, account: string): Markup {
  const [before = '', after] = wordsOf(line).split('{}')
  if (after === undefined) return html`${before}`
  if (line.subject === '') return html`${before.replace(/\bthe (\w+) $/, 'a $1')}${after}`
  if (line.action === 'session.end' && nameOf(line) === null) return html`${before.replace('sessions: ', 'a session')}`
  return html`${before}${objectOf(line, account)}${after}`
}

function wordsOf({ action, outcome }: Pick<AuditEntry, 'action' | 'outcome'>): string {
  const refused: Readonly<Record<string, string>> = refusalWords
  const words: Readonly<Record<string, string>> = actWords
  const known = Object.hasOwn(words, action) ? words[action] : undefined
  if (known === undefined) return (Object.hasOwn(refused, action) ? refused[action] : undefined) ?? `${action} {}`
  return outcome === 'done' ? known.replace(/^\w+/, pastOf) : `tried to ${known}`
}

const irregular: Readonly<Record<string, string>> = {
  make: 'made',
  read: 'read',
  send: 'sent',
  set: 'set',
  take: 'took',
  write: 'wrote',
}

const pastOf = (verb: string): string => irregular[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)

interface Named extends Pick<AuditEntry, 'subject' | 'before' | 'after'> {
  /** Of a user or token that the log has by its id. */
  subjectName?: string | undefined
}

/** `null`: the log has no more than an id. */
function nameOf({ subject, before, after, subjectName }: Named): string | null {
  if (!uuid.test(subject)) return subject
  const known = subjectName ?? after?.name ?? before?.email
  return typeof known === 'string' ? known : null
}

function objectOf(line: Named & Pick<AuditEntry, 'action'>, account: string): Markup {
  const { action, subject } = line
  const name = html`<bdi>${nameOf(line) ?? `…${subject.slice(-shownCharacters)}`}</bdi>`
  const place = places[action.split('.')[0] ?? '']
  const isGone = action === 'person.erase' || action === 'submission.remove'
  if (place === undefined || account === '' || subject === '' || isGone) return name
  return html`<a href="/a/${account}/${place}/${encodeURIComponent(subject)}">${name}</a>`
}
