import { trimmedOf } from '../../lib/trimmed.ts'
import type { DnsAnswer, DnsLookup } from './dns-lookup.ts'

/** One property of a CAA record set (RFC 8659 section 4.1). */
export interface CaaRecord {
  flags: number
  /** Lower-case. */
  tag: string
  value: string
}

/** The record set that applies to a name, with its holder: the name, or its nearest parent with records. */
export type RelevantCaa = { holder: string; records: CaaRecord[] } | { failed: string; at: string } | null

/** More labels than any real name has. For longer names only the parents nearest to the root are queried. */
const namesMax = 10

/** Climbs from the name towards the root until a name has CAA records (RFC 8659 section 3). `null`: none has. */
export async function relevantCaa(
  host: string,
  dns: Pick<DnsLookup, 'ask'>,
  signal: AbortSignal,
): Promise<RelevantCaa> {
  const labels = host.split('.')
  const parents = labels.map((_, from) => labels.slice(from).join('.')).slice(1)
  for (const name of [host, ...parents.slice(-(namesMax - 1))]) {
    const answer: DnsAnswer<CaaRecord> = await dns.ask(
      { name, type: 'CAA' },
      (record) => (record.type === 'CAA' ? caaRecord(record.data) : null),
      signal,
    )
    if (answer.kind === 'failed') return { failed: answer.code, at: name }
    if (answer.kind === 'records') return { holder: name, records: answer.records }
  }
  return null
}

const caaRecord = (data: { flags?: number | undefined; tag: string; value: string }): CaaRecord => ({
  flags: data.flags ?? 0,
  tag: data.tag.toLowerCase(),
  value: data.value,
})

/** Limits the shown text: a record may have 64 KB and comes from the name's owner. */
const shownCharacters = 200

/** The form of a zone file: `0 issue "letsencrypt.org"`. Control characters are replaced. */
export const caaText = ({ flags, tag, value }: CaaRecord): string =>
  `${flags} ${shownText(tag)} "${shownText(value).replace(/["\\]/g, '\\$&')}"`

/** The beginning of a record's text, safe for a terminal. */
function shownText(text: string): string {
  const shown = text.slice(0, shownCharacters).replace(/[^ -~]/g, '?')
  return text.length > shownCharacters ? `${shown}…` : shown
}

interface CaaQuestion {
  /** The authority's names; empty: unknown. */
  identities: readonly string[]
  /** The account's URL (RFC 8657 section 3); `null`: there is none yet. */
  accountUrl: string | null
  /** The challenge (RFC 8657 section 4). */
  method: string
}

/** `forbids`: the properties that name other authorities. */
export type CaaVerdict = 'allowed' | { critical: CaaRecord } | { forbids: CaaRecord[] }

/** The critical bit (RFC 8659 section 4.1), and its common misspelling with bits counted from the other end. */
const criticalBits = 0x80 | 0x01
const knownTags = ['issue', 'issuewild', 'iodef', 'issuemail', 'contactemail', 'contactphone', 'issuevmc']

/** Whether the record set lets the authority issue for a non-wildcard name (RFC 8659 section 4.2). */
export function caaVerdict(records: readonly CaaRecord[], question: CaaQuestion): CaaVerdict {
  const critical = records.find(({ flags, tag }) => (flags & criticalBits) !== 0 && !knownTags.includes(tag))
  if (critical !== undefined) return { critical }
  const issue = records.filter(({ tag }) => tag === 'issue')
  return issue.length === 0 || issue.some((record) => allows(record.value, question)) ? 'allowed' : { forbids: issue }
}

const parameterPattern = /^([a-z0-9]+(?:-+[a-z0-9]+)*)[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]*)$/i

/** One `issue` value: a name and parameters. A malformed one allows nobody (RFC 8659 section 4.2). */
function allows(value: string, { identities, accountUrl, method }: CaaQuestion): boolean {
  const [issuer = '', ...rest] = value.split(';').map(trimmed)
  if (issuer === '' || (identities.length > 0 && !identities.includes(issuer.toLowerCase()))) return false
  for (const text of rest.filter((text, at) => text !== '' || at < rest.length - 1)) {
    const [, name, content = ''] = parameterPattern.exec(text) ?? []
    if (name === undefined) return false
    // Without an account yet, no `accounturi` can be wrong.
    if (name.toLowerCase() === 'accounturi' && accountUrl !== null && content !== accountUrl) return false
    if (name.toLowerCase() === 'validationmethods' && !content.split(',').includes(method)) return false
  }
  return true
}

const trimmed = (text: string): string => trimmedOf(' \t', text)
