import type { Attribution } from '../../ledger/entry.ts'
import { decodedText } from './decoded-text.ts'
import { formDecoded, type JudgedName, judgedName } from './parameter-name.ts'
import { holdsPersonalNumber, looksPersonal } from './personal-text.ts'
import { worthALook } from './worth-a-look.ts'

export interface CleanedUrl {
  url: string
  path: string
  /** With a port that is not the scheme's own. */
  host: string
  attribution: Attribution
}

/** An address as it may be stored, less its query. */
export interface CleanedBase {
  url: string
  path: string
  host: string
  /** Its length before its path was cleaned. */
  chars: number
}

/** Caches for callers that clean many addresses. */
export interface UrlMemory {
  base(address: string): CleanedBase | null
  query(query: string): CleanedQuery
}

/** A serialised address without its query that is longer is dropped; a longer query is dropped alone. */
export const urlCharsMax = 8192
/** Longer texts are not parsed. The box accepts no request that long. */
export const rawUrlCharsMax = 65_536

/** Characters of host names (RFC 1123, and `_`); the URL standard alone would accept `+49…`. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/**
 * An address whose query reads in its serialisation as it reads here, and changes nothing of what stands before it: no
 * fragment, no character that the URL standard strips or encodes in a query of the web.
 */
const plainAddress = /^https?:\/\/[!-"$->@-~]+(?:\?[!$%&(-;=?-~]*)?$/

/**
 * An address as it may be stored (docs/events.md): without user info, fragment, attribution
 * parameters and whatever looks personal; serialised by the URL standard, and what is kept of the query byte for byte.
 * `null`: no absolute http(s) address. A host is never altered. Cleaning a cleaned address changes nothing.
 */
export function cleanUrl(raw: string, memory: UrlMemory = forgetful): CleanedUrl | null {
  if (raw.length > rawUrlCharsMax) return null
  const read = plainAddress.test(raw) ? readPlain(raw, memory) : readAny(raw)
  if (read === null) return null
  const { base, query } = read
  const { url, path, host } = base
  const fits = base.chars + 1 + query.length <= urlCharsMax
  if (query === '' || !fits) return { url, path, host, attribution: {} }
  const cleaned = memory.query(query)
  return { url: cleaned.query === '' ? url : url + '?' + cleaned.query, path, host, attribution: cleaned.attribution }
}

/** An address without a query. `null`: none that may be stored. */
export function cleanBase(address: string): CleanedBase | null {
  const parsed = URL.parse(address)
  return parsed === null ? null : baseOf(parsed)
}

const forgetful: UrlMemory = { base: cleanBase, query: cleanQuery }

interface ReadAddress {
  base: CleanedBase
  query: string
}

/** Parses and caches only the part before the query: sites have few pages and many queries. */
function readPlain(raw: string, memory: UrlMemory): ReadAddress | null {
  const queryMark = raw.indexOf('?')
  const base = memory.base(queryMark === -1 ? raw : raw.slice(0, queryMark))
  return base && { base, query: queryMark === -1 ? '' : raw.slice(queryMark + 1) }
}

function readAny(raw: string): ReadAddress | null {
  const parsed = URL.parse(raw)
  const base = parsed && baseOf(parsed)
  return base && { base, query: parsed.search.slice(1) }
}

function baseOf({ protocol, host, pathname }: URL): CleanedBase | null {
  if ((protocol !== 'https:' && protocol !== 'http:') || !hostPattern.test(host)) return null
  const chars = protocol.length + 2 + host.length + pathname.length
  if (chars > urlCharsMax) return null
  const path = cleanPath(pathname)
  return { url: protocol + '//' + host + path, path, host, chars }
}

const removed = '-'
/** Where a number may go on beyond a slash: `/0151/2345678`. */
const endsInNumber = /\d[) ]{0,3}$/
const beginsWithNumber = /^[( ]{0,3}\d/

/** A path in which every segment that looks personal by value became `-` (docs/events.md). */
function cleanPath(path: string): string {
  if (!isWorthALook(path)) return path
  const segments = path.split('/')
  const cleaned = segments.map((segment) => (isPersonalSegment(segment) ? removed : segment))
  removeSlashedNumbers(cleaned)
  return cleaned.join('/')
}

const isPersonalSegment = (segment: string): boolean => isWorthALook(segment) && looksPersonal(segment)

/** A `=` in a path is a matrix parameter (`/login;token=…`), whose name may be personal. */
const isWorthALook = (part: string): boolean => worthALook(part) || part.includes('=')

/** Replaces neighbouring segments that hold a number only together. */
function removeSlashedNumbers(segments: string[]): void {
  const texts = segments.map((segment) => decodedText(segment) ?? '')
  for (let start = 0; start < texts.length; ) {
    let end = start + 1
    while (end < texts.length && endsInNumber.test(texts[end - 1] ?? '') && beginsWithNumber.test(texts[end] ?? ''))
      end++
    if (end - start > 1 && holdsPersonalNumber(texts.slice(start, end).join('/'))) segments.fill(removed, start, end)
    start = end
  }
}

/** Campaigns have fewer. Further parameters are removed from the query and not stored. */
const attributionsMax = 32

/** A query as it may be stored, and what was lifted out of it. */
export interface CleanedQuery {
  query: string
  attribution: Attribution
}

/**
 * Lifts the attribution out of a serialised query and leaves out what looks personal (docs/events.md).
 * Parameters end at `&`, as the URL standard has it; one that holds others (`a=1;token=…`) is judged by those too. Of a
 * repeated name the first value counts.
 *
 * @param judge what names say; a caller that cleans many may remember it
 */
export function cleanQuery(query: string, judge: (rawName: string) => JudgedName = judgedName): CleanedQuery {
  const attribution: Attribution = {}
  const parameters = query.split('&')
  const kept: string[] = []
  for (const parameter of parameters) {
    const rawName = nameOf(parameter)
    const { kind, name } = judge(rawName)
    if (kind === 'click_id' || (kind === 'utm' && !isPersonalValue(parameter))) {
      lift(attribution, name, formDecoded(parameter.slice(rawName.length + 1)))
    } else if (kind === 'plain' && !isPersonalValue(parameter)) kept.push(parameter)
  }
  return { query: kept.length === parameters.length ? query : kept.join('&'), attribution }
}

const isPersonalValue = (parameter: string): boolean => worthALook(parameter) && looksPersonal(parameter)

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals === -1 ? parameter : parameter.slice(0, equals)
}

function lift(attribution: Attribution, name: string, value: string): void {
  if (value === '' || attribution[name] !== undefined || Object.keys(attribution).length >= attributionsMax) return
  attribution[name] = value
}
