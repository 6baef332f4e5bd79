import { fieldLabel } from '../../../account/field-label.ts'
import { scopes } from '../../../account/scope.ts'
import { html, type Markup } from '../../../lib/html.ts'
import type { JsonObject, JsonValue } from '../../../lib/json-value.ts'
import { isJsonObject } from '../../../lib/lossless-json.ts'
import { plural } from '../../../lib/quantities.ts'
import type { AuditEntry } from '../../audit/audit-log.ts'
import { type RefusalKind, refusalKinds } from '../../audit/refused-tries.ts'
import { boxTimeText, localTimeText } from '../../look/time-text.ts'
import { scopeWords } from '../../token/token-json.ts'
import { cut } from '../values.ts'
import { askedFor } from './asked-for.ts'

type ChangedLine = Pick<AuditEntry, 'action' | 'outcome' | 'before' | 'after'>

/** Of the items behind a sentence; a single one may be as long. */
const charactersMax = 160

/** What follows the sentence of a line, and all of it where the line holds only a part. */
export interface ChangeWords {
  line: Markup | null
  /** `null`: the line says it. */
  all: string | null
}

/** What a line of the audit log says was changed, such as `as editor`, or why somebody was refused. */
export function changeWords(line: ChangedLine): ChangeWords {
  const { kind, endpoint } = line.after ?? {}
  const refused = refusalKinds.find((name) => name === kind)
  if (line.outcome === 'refused' && refused !== undefined) {
    // Where somebody tried to sign in, the sentence says.
    const place = line.action.startsWith('session.') ? null : `: ${askedFor(String(endpoint))}`
    return { line: html` <span class="hint change">${refusals[refused]}${place}</span>`, all: null }
  }
  const items = isSum(line) ? sumItems(line.after ?? {}) : changeItems(line)
  if (items.length === 0) return { line: null, all: null }
  const shown = fitting(items)
  const rest = items.length - shown.length
  const isWhole = shown.length === items.length && shown.every((item, place) => item === items[place])
  const text = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return { line: html` <span class="hint change">${text}</span>`, all: isWhole ? null : items.join('\n') }
}

/** What was refused and has no lines of its own. */
export const isSum = ({ action }: Pick<AuditEntry, 'action'>): boolean => action === 'refusals.sum'

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

/** As many of the first as one line holds, and at least one. */
function fitting(items: readonly string[]): string[] {
  const shown: string[] = []
  let characters = 0
  for (const item of items) {
    characters += item.length
    if (shown.length > 0 && characters > charactersMax) break
    shown.push(cut(item, charactersMax))
  }
  return shown
}

/** As `5 × wrong password or code`, `since 22 Nov 2026, 09:15 UTC`, `5 from 192.0.2.1`. */
function sumItems({ since, addresses, ...counts }: JsonObject): string[] {
  return [
    ...refusalKinds.filter((kind) => kind in counts).map((kind) => `${counts[kind]} × ${refusals[kind]}`),
    `since ${boxTimeText(String(since))}`,
    ...textsIn(addresses ?? []).map((each) => each.replace(/^(.*): (\d+)$/, '$2 from $1')),
  ]
}

/** A value that the log has before and after is said as a step, and any other in its own words. */
function changeItems({ before, after }: ChangedLine): string[] {
  return Object.entries({ ...before, ...after }).flatMap(([name, value]) => {
    const was = before?.[name]
    const isPast = after === null || !(name in after)
    if (!isPast && typeof was === 'string' && was !== value) return [`from ${was} to ${textOf(value)}`]
    const words = Object.hasOwn(valueWords, name)
      ? valueWords[name]
      : (text: string) => `${fieldLabel(null, name).toLowerCase()}: ${text}`
    return textsIn(value).flatMap((text) => words?.(text, isPast) || [])
  })
}

/** Each of a list by itself; a token by its name. */
const textsIn = (value: JsonValue): string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)])

const textOf = (value: JsonValue): string => (isJsonObject(value) ? String(value.name) : String(value))

/** What is said of each value by its name; `''` and `null`: nothing, as the sentence says it. */
const valueWords: Readonly<Record<string, ((text: string, isPast: boolean) => string) | null>> = {
  accepted: (email) => `${email}, invited with this access, stays`,
  accounts: (number) => (number === '0' ? '' : `in ${plural(Number(number), 'account')}`),
  added: () => 'this account may',
  changes: (text) => text.replace(/^(create|update|delete) (?:key )?/, (_, action) => `${changedWords[action]} `),
  connected: (host) => `connected ${host}`,
  contentOf: (version) => `with the content of version ${version}`,
  domains: (host) => `with ${host}`,
  dropped: (host) => `disconnected ${host}`,
  droppedAt: (at) => `disconnected ${dayText(at)}`,
  email: null,
  expiresAt: (at) => `until ${dayText(at)}`,
  invitations: (email) => `withdrew the invitation of ${email}`,
  invited: () => 'not yet a user',
  more: (number) => plural(Number(number), 'more change'),
  name: null,
  owner: (isOwner) => (isOwner === 'true' ? 'an owner' : ''),
  reason: (why) => why,
  receivers: (receiver) => `new receiver: ${receiver}`,
  removed: () => 'this account no longer may',
  reservedFor: (handle) => `was reserved for ${handle}`,
  role: (role, isPast) => `${isPast ? 'was' : 'as'} ${role}`,
  scopes: (scope) => {
    const known = scopes.find((name) => name === scope)
    return `may ${known === undefined ? scope : scopeWords[known]}`
  },
  shares: (number) => (number === '0' ? '' : `ended ${plural(Number(number), 'link')} to reports`),
  shorterTerms: (records) => `${records} kept for less long`,
  shown: (isShown) => (isShown === 'true' ? 'now in full' : 'now masked'),
  splits: null,
  state: null,
  suffixes: null,
  takenOver: (host) => `took over ${host}`,
  tokens: (name) => `revoked the token ${name}`,
  variant: (name) => `variant ${name}`,
  version: (number) => `version ${number}`,
}

/** Of the list of what a publication changed, as `create form Contact`. */
const changedWords: Readonly<Record<string, string>> = { create: 'new', update: 'changed', delete: 'removed' }

const dayText = (at: string): string => localTimeText(at, 'UTC').replace(/,.*/, '')
