import { newKeyText } from '../lib/id.ts'
import { trimmedOf } from '../lib/trimmed.ts'
import { clickDestinationAllowed } from './click-destination.ts'
import { showsAddress } from './click-token.ts'
import names from './link-rewrite/character-references.json' with { type: 'json' }
import signs from './link-rewrite/link-signs.json' with { type: 'json' }

interface LinkRewriting {
  /** The connected domain that the click links will be on. */
  servedHost: string
  previewHost: string
  /** The click link for a destination; `null`: it would be too long. It is to hold no quotes and no `&`. */
  clickLink(destination: string): string | null
}

interface LeftLink {
  /** As it stands in the mail. */
  href: string
  why: string
}

interface ChangedLink {
  destination: string
  /** Of the mail, from 1: where the link's tag begins. */
  line: number
}

export interface RewrittenMail {
  html: string
  /** Links that are click links now, in order. */
  changed: ChangedLink[]
  /** Links that lead where they led before, in order. */
  left: LeftLink[]
}

/**
 * The HTML of a mail with the destinations of its links (`a`, `area`) replaced by click links, where the click redirect
 * would let them through (spec, Click redirect, rule 5). Every other character stays as it was.
 */
export function rewriteLinks(html: string, rewriting: LinkRewriting): RewrittenMail {
  const left: LeftLink[] = []
  const links: Rewritten[] = []
  // Marks each changing tag, since the rewriter reports no position.
  const mark = `\u{f0000}${newKeyText(20)}\u{f0000}`
  const marked = new HTMLRewriter()
    .on('a[href], area[href]', {
      element(element) {
        const href = element.getAttribute('href') ?? ''
        const judged = judge(href, element, rewriting)
        if ('why' in judged) {
          left.push(judged)
          return
        }
        element.before(mark, { html: true })
        links.push(judged)
      },
    })
    .onDocument({ comments: (comment) => void left.push(...linksIn(comment.text)) })
    .transform(html)
  const [head = '', ...tails] = marked.split(mark)
  const changed: ChangedLink[] = []
  let line = 1 + lineFeedsIn(head)
  const rewritten = tails.map((tail, i) => {
    const link = links[i]
    const text = link === undefined ? null : withHref(tail, link.clickLink)
    if (link !== undefined && text === null) left.push({ href: link.href, why: reasons.markup })
    if (link !== undefined && text !== null) changed.push({ destination: link.destination, line })
    line += lineFeedsIn(tail)
    return text ?? tail
  })
  return { html: head + rewritten.join(''), changed, left }
}

const lineFeedsIn = (text: string): number => text.split('\n').length - 1

interface Rewritten {
  href: string
  destination: string
  clickLink: string
}

/** Longer ones make too long a click link, even if each character is written as the longest reference. */
const hrefCharactersMax = 65_536

const reasons = {
  unsubscribe: 'it unsubscribes, which must not depend on a click link',
  placeholder: 'it contains a placeholder to be filled in later',
  references: 'it holds a character reference (&…;) that is not known here: write the character itself',
  anchor: 'it leads within the mail',
  relative: 'it is not an absolute address: write it with https:// and the host',
  clickLink: 'it is already a click link',
  space: 'it contains a space: write %20 in its place',
  address: 'it contains an email address, which the click link would reveal',
  tooLong: 'with it the click link would be longer than 2,000 characters',
  comment: 'it is in a comment, such as one for Outlook only',
  markup: 'its tag cannot be parsed',
}

function judge(href: string, element: HTMLRewriterTypes.Element, rewriting: LinkRewriting): Rewritten | LeftLink {
  const { servedHost, previewHost } = rewriting
  if (href.length > hrefCharactersMax) return { href, why: reasons.tooLong }
  const decoded = decodeReferences(href)
  if (decoded === null) return { href, why: reasons.references }
  const written = trimmed(decoded)
  const why = whyUntouched(written, element) ?? whyElsewhere(written, servedHost, previewHost)
  if (why !== null) return { href, why }
  if (showsAddress(written)) return { href, why: reasons.address }
  const destination = new URL(written).href
  const clickLink = rewriting.clickLink(destination)
  return clickLink === null ? { href, why: reasons.tooLong } : { href, destination, clickLink }
}

/** Characters that the URL standard strips first: surrounding white space, inner line breaks. */
const trimmed = (href: string): string => trimmedOf(' ', href.replace(/[\t\n\r]/g, ''))

function whyUntouched(href: string, element: HTMLRewriterTypes.Element): string | null {
  if (href === '' || href.startsWith('#')) return reasons.anchor
  if (holdsPlaceholder(href)) return reasons.placeholder
  return isUnsubscribe(href, element) ? reasons.unsubscribe : null
}

function whyElsewhere(href: string, servedHost: string, previewHost: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme === undefined) return reasons.relative
  if (scheme !== 'http' && scheme !== 'https') return `it is not a web address (${scheme}:)`
  if (!clickDestinationAllowed(href, servedHost, previewHost)) {
    if (clickDestinationAllowed(href.replaceAll(' ', '%20'), servedHost, previewHost)) return reasons.space
    return `a click link on ${servedHost} leads only to that host or the preview host`
  }
  const { hostname, pathname } = new URL(href)
  return hostname === servedHost && pathname.startsWith('/_svc/c/') ? reasons.clickLink : null
}

/** Editors write a placeholder's brackets percent-encoded. */
const holdsPlaceholder = (href: string): boolean => isFilledInLater(href) || isFilledInLater(percentDecoded(href))

function isFilledInLater(text: string): boolean {
  return signs.placeholders.some(([open = '', close = '']) => {
    const at = text.indexOf(open)
    return at !== -1 && text.includes(close, at + open.length)
  })
}

function isUnsubscribe(href: string, element: HTMLRewriterTypes.Element): boolean {
  if (isUnsubscribeText(percentDecoded(href).replace(/^https?:\/\/[^/?#]*/i, ''))) return true
  for (const [name, value] of element.attributes) {
    if (name.includes('unsubscribe')) return true
    if (signs.unsubscribeAttributes.includes(name) && isUnsubscribeText(value)) return true
  }
  return false
}

function isUnsubscribeText(text: string): boolean {
  const lower = text.toLowerCase()
  return signs.unsubscribeWords.some((word) => lower.includes(word))
}

function percentDecoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

const linksIn = (comment: string): LeftLink[] =>
  [...comment.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) => ({
    href: double ?? single ?? '',
    why: reasons.comment,
  }))

/** One attribute of a start tag: what stands before it, its name, and its value in double, single or no quotes. */
const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y

/**
 * The text, which begins with a start tag, with the value of that tag's first `href` replaced and every other character
 * as it was. `null`: the tag is written in a way that is not understood. The new value holds no quotes.
 */
function withHref(text: string, href: string): string | null {
  attribute.lastIndex = /^<[^\s/>]+/.exec(text)?.[0].length ?? 0
  for (let at = attribute.lastIndex; at > 0; at = attribute.lastIndex) {
    const match = attribute.exec(text)
    if (match === null) return null
    const [whole, name = '', double, single, bare] = match
    if (name.toLowerCase() !== 'href') continue
    const value = double ?? single ?? bare
    if (value === undefined) return null
    const end = at + whole.length - (bare === undefined ? 1 : 0)
    const start = end - value.length
    return text.slice(0, start) + (bare === undefined ? href : `"${href}"`) + text.slice(end)
  }
  return null
}

const named: ReadonlyMap<string, string> = new Map(Object.entries(names))

/** `&name;`, `&#38;`, `&#x26;`, and the four names that count without their semicolon, unless a `=` or letter follows. */
const reference =
  /&(?:#x([0-9a-f]{1,6});?|#([0-9]{1,7});?|([a-z][a-z0-9]*);|(amp|lt|gt|quot|AMP|LT|GT|QUOT)(?![=a-z0-9]))/gi

/**
 * An attribute's value as a browser reads it (HTML standard, "Character references"). `null`: it holds a reference
 * outside the table, which has those that stand for what an address is made of; to guess would be to change the link.
 */
function decodeReferences(value: string): string | null {
  let known = true
  const decoded = value.replace(reference, (whole, hex?: string, digits?: string, name?: string, bare?: string) => {
    const text = numbered(hex, digits) ?? named.get(name ?? bare?.toLowerCase() ?? '')
    if (text === undefined) known = false
    return text ?? whole
  })
  return known ? decoded : null
}

/** Control characters and what the standard maps to others are no part of an address, and count as unknown. */
function numbered(hex: string | undefined, digits: string | undefined): string | undefined {
  if (hex === undefined && digits === undefined) return undefined
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
  const isText = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0x7f) || code >= 0xa0
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return isText && !isSurrogate && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
