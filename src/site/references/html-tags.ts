import { isAscii } from 'node:buffer'
import { withoutLastCompiler } from '../../lib/last-compiler.ts'

interface TagVisitor {
  /** Of an element that is wanted, or has wanted attributes. @param name '' for an element that is not wanted */
  onOpen: (name: string, attributes: TagAttributes) => void
  onClose: (name: string) => void
  /** What stands between the tags of an element whose content is no markup, such as `script`. */
  onText: (name: string, from: number, to: number) => void
}

/** The elements and attributes that a reader wants, in lower case. */
interface WantedNames {
  elements: NameTable
  /** At most 31. */
  attributes: NameTable
}

/** Names to be found by a number that is made of their letters while a name is passed. */
export class NameTable {
  private readonly numbers = new Int32Array(slots)
  private readonly indexes = new Int8Array(slots).fill(-1)

  constructor(readonly names: readonly string[]) {
    for (const [index, name] of names.entries()) {
      const number = numberOf(name)
      if (this.indexes[number & slotMask] !== -1) throw new Error(`${name} needs a larger table`)
      this.numbers[number & slotMask] = number
      this.indexes[number & slotMask] = index
    }
  }

  /** The index of the name that has the number; -1: none of these. */
  find(number: number): number {
    const slot = number & slotMask
    return this.numbers[slot] === number ? (this.indexes[slot] ?? -1) : -1
  }

  /** The index of a name that is in the table. */
  indexOf(name: string): number {
    return this.names.indexOf(name)
  }
}

const slots = 1024
const slotMask = slots - 1

/** The number with one more letter, in either case. Two names share one of four billion numbers by chance alone. */
const withLetter = (number: number, code: number): number => (Math.imul(number, 31) + (code | 0x20)) | 0

const numberOf = (name: string): number =>
  [...name].reduce((number, letter) => withLetter(number, letter.charCodeAt(0)), 0)

/** The wanted attributes of the tag that is being read: one object for all tags, and no string before it is asked for. */
export class TagAttributes {
  /** Whether the tag ends in `/>`. */
  isSelfClosing = false
  private present = 0
  private readonly places: Int32Array
  private readonly isAscii: boolean

  constructor(
    html: Buffer,
    /** A character for each byte: a slice of it costs a tenth of what a string from bytes does. */
    private readonly text: string,
    readonly table: NameTable,
  ) {
    this.places = new Int32Array(table.names.length * 3)
    this.isAscii = isAscii(html)
  }

  get isEmpty(): boolean {
    return this.present === 0
  }

  clear(): void {
    this.present = 0
    this.isSelfClosing = false
  }

  /** Of attributes with one name, the first counts. @param at where it begins; its value reaches from `from` to `to` */
  note(index: number, at: number, from: number, to: number): void {
    if (this.has(index)) return
    this.present |= 1 << index
    this.places[index * 3] = at
    this.places[index * 3 + 1] = from
    this.places[index * 3 + 2] = to
  }

  /** @param index of its name in the table */
  has(index: number): boolean {
    return (this.present & (1 << index)) !== 0
  }

  /** @param bits one for each of several indexes */
  hasAny(bits: number): boolean {
    return (this.present & bits) !== 0
  }

  /** Where the attribute begins. */
  at(index: number): number {
    return this.places[index * 3] ?? 0
  }

  /** Where its value begins. */
  valueAt(index: number): number {
    return this.places[index * 3 + 1] ?? 0
  }

  /** Its value without character references; '' where there is none. */
  value(index: number): string {
    if (!this.has(index)) return ''
    const slice = this.text.slice(this.valueAt(index), this.places[index * 3 + 2])
    return decoded(this.isAscii ? slice : Buffer.from(slice, 'latin1').toString('utf8'))
  }
}

const tab = 0x09
const space = 0x20
const bang = 0x21
const doubleQuote = 0x22
const singleQuote = 0x27
const slash = 0x2f
const equals = 0x3d
const greater = 0x3e
const question = 0x3f

const endsTagName = 1
const endsAttributeName = 2
const isBlank = 4
const endsUnquoted = 8
const separates = 16
/** What each byte ends, and whether it stands between attributes. */
const roles = new Uint8Array(256)
for (const code of [tab, 0x0a, 0x0c, 0x0d, space])
  roles[code] = endsTagName | endsAttributeName | isBlank | endsUnquoted | separates
roles[slash] = endsTagName | endsAttributeName | separates
roles[greater] = endsTagName | endsAttributeName | endsUnquoted
roles[equals] = endsAttributeName

const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0

const has = (bytes: Buffer, at: number, role: number): boolean => ((roles[bytes[at] ?? 0] ?? 0) & role) !== 0

/**
 * Passes the attributes of a tag, noting those that are wanted.
 *
 * @param from behind the tag's name
 * @returns where the tag ends, at its `>`; -1: the document ends within the tag, so that it is none
 */
function passAttributes(html: Buffer, from: number, text: string, found: TagAttributes | null): number {
  const { length } = html
  for (let at = from; ; ) {
    const passedTo = at
    while (at < length && has(html, at, separates)) at += 1
    if (at >= length) return -1
    if (html[at] === greater) {
      if (found !== null) found.isSelfClosing = at > passedTo && html[at - 1] === slash
      return at
    }
    const start = at
    let number = 0
    // An equals sign in front belongs to the name.
    do {
      number = withLetter(number, byteAt(html, at))
      at += 1
    } while (at < length && !has(html, at, endsAttributeName))
    const index = found === null ? -1 : found.table.find(number)
    const valueAt = valueAfter(html, at)
    if (valueAt < 0) {
      if (index >= 0) found?.note(index, start, at, at)
      continue
    }
    const quote = html[valueAt]
    const isQuoted = quote === doubleQuote || quote === singleQuote
    const valueFrom = isQuoted ? valueAt + 1 : valueAt
    const valueTo = isQuoted ? text.indexOf(quote === doubleQuote ? '"' : "'", valueFrom) : unquotedEnd(html, valueAt)
    if (valueTo < 0) return -1
    if (index >= 0) found?.note(index, start, valueFrom, valueTo)
    at = isQuoted ? valueTo + 1 : valueTo
  }
}

/** Where the value behind a name begins; -1: the attribute has none. */
function valueAfter(html: Buffer, nameEnd: number): number {
  let at = nameEnd
  while (has(html, at, isBlank)) at += 1
  if (html[at] !== equals) return -1
  at += 1
  while (has(html, at, isBlank)) at += 1
  return at
}

function unquotedEnd(html: Buffer, from: number): number {
  let at = from
  while (at < html.length && !has(html, at, endsUnquoted)) at += 1
  return at
}

/** Elements within which CDATA and `<style/>` mean something. */
const foreignElements = ['svg', 'math']
/** Elements whose content is no markup. The content of `noscript` is, for browsers without scripts. */
const rawTextElements = ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']
const special = new NameTable([...foreignElements, ...rawTextElements])
const isForeign = (index: number): boolean => index >= 0 && index < foreignElements.length
const isRawText = (index: number): boolean => index >= foreignElements.length

/**
 * Reads the tags of an HTML document in UTF-8 as browsers do (HTML, "Tokenization"): nothing in comments, and no markup in scripts
 * and styles. Positions are bytes.
 *
 * HTMLRewriter knows no lines, and htmlparser2 reads about 60 MB a second, which would triple the time that a plan takes. Its loops
 * keep to local variables: a command ends before calls and properties have become machine code.
 */
export class TagReader {
  /** A character for each byte. */
  readonly text: string
  private readonly attributes: TagAttributes
  private foreignDepth = 0
  /** From here on no `-->` is left: each script that opens a comment would look for one to the end. */
  private noCommentEndFrom = Number.POSITIVE_INFINITY

  constructor(
    private readonly html: Buffer,
    private readonly wanted: WantedNames,
    private readonly visitor: TagVisitor,
  ) {
    this.text = html.toString('latin1')
    this.attributes = new TagAttributes(html, this.text, wanted.attributes)
  }

  /**
   * Whether a place that was read to parts the document: outside of drawings, and behind a tag or comment that has ended, so that no
   * later byte changes what stands before.
   */
  isBorder(at: number): boolean {
    return this.foreignDepth === 0 && this.html[at - 1] === greater
  }

  /** Reads the next tag, comment or declaration. @returns where it ends */
  readNext(from: number): number {
    const { html, text } = this
    const open = text.indexOf('<', from)
    if (open < 0) return text.length
    const code = byteAt(html, open + 1)
    if (isLetter(code)) return this.openTag(open + 1)
    if (code === slash) return this.closeTag(open + 2)
    if (code === bang) return this.declarationEnd(open + 2)
    return code === question ? this.after('>', open) : open + 1
  }

  /** @param from where the tag's name begins. @returns where the document is read on, as its neighbours do */
  private openTag(from: number): number {
    const { html, text, attributes, wanted } = this
    let number = 0
    let at = from
    for (; at < html.length && !has(html, at, endsTagName); at += 1) number = withLetter(number, byteAt(html, at))
    attributes.clear()
    const end = html[at] === greater ? at : passAttributes(html, at, text, attributes)
    if (end < 0) return html.length
    const name = wanted.elements.find(number)
    if (name >= 0 || !attributes.isEmpty) this.visitor.onOpen(wanted.elements.names[name] ?? '', attributes)
    const kind = special.find(number)
    return kind < 0 ? end + 1 : this.enter(kind, end)
  }

  /** @param end of the tag, at its `>` */
  private enter(kind: number, end: number): number {
    const { isSelfClosing } = this.attributes
    if (isForeign(kind)) this.foreignDepth += isSelfClosing ? 0 : 1
    const isText = isRawText(kind) && !(isSelfClosing && this.foreignDepth > 0)
    return isText ? this.rawTextEnd(special.names[kind] ?? '', end + 1) : end + 1
  }

  private closeTag(from: number): number {
    const { html, text, wanted } = this
    if (!isLetter(byteAt(html, from))) return this.after('>', from)
    let number = 0
    let at = from
    for (; at < html.length && !has(html, at, endsTagName); at += 1) number = withLetter(number, byteAt(html, at))
    const end = html[at] === greater ? at : passAttributes(html, at, text, null)
    if (end < 0) return html.length
    if (isForeign(special.find(number))) this.foreignDepth = Math.max(0, this.foreignDepth - 1)
    const name = wanted.elements.find(number)
    if (name >= 0) this.visitor.onClose(wanted.elements.names[name] ?? '')
    return end + 1
  }

  private after(mark: string, from: number): number {
    const at = this.text.indexOf(mark, from)
    return at < 0 ? this.text.length : at + mark.length
  }

  /** A comment, a doctype, a CDATA section. */
  private declarationEnd(from: number): number {
    const { text } = this
    if (text.startsWith('--', from)) return this.commentEnd(from + 2)
    const isData = this.foreignDepth > 0 && text.startsWith('[CDATA[', from)
    return this.after(isData ? ']]>' : '>', from)
  }

  /** @param from where the comment's text begins */
  private commentEnd(from: number): number {
    const { text } = this
    if (text.startsWith('>', from) || text.startsWith('->', from)) return this.after('>', from)
    for (let dashes = text.indexOf('--', from); dashes >= 0; dashes = text.indexOf('--', dashes + 1)) {
      const at = dashes + 2
      if (text.startsWith('>', at) || text.startsWith('!>', at)) return this.after('>', at)
    }
    return text.length
  }

  private rawTextEnd(name: string, from: number): number {
    const end = name === 'plaintext' ? -1 : name === 'script' ? this.scriptEnd(from) : this.closingTag(name, from)
    const to = end < 0 ? this.text.length : end
    this.visitor.onText(name, from, to)
    return end < 0 ? to : this.closeTag(end + 2)
  }

  /** Where the element's closing tag begins; -1: it has none. */
  private closingTag(name: string, from: number): number {
    const { text } = this
    let at = text.indexOf('</', from)
    while (at >= 0 && !this.isTagAt(`</${name}`, at)) at = text.indexOf('</', at + 1)
    return at
  }

  /** @param tag `</style`, in lower case */
  private isTagAt(tag: string, at: number): boolean {
    const end = at + tag.length
    return has(this.html, end, endsTagName) && this.text.slice(at, end).toLowerCase() === tag
  }

  /** Within `<!-- <script>`, the next `</script>` ends only the inner one (HTML, "Script data double escaped state"). */
  private scriptEnd(from: number): number {
    const { text } = this
    let commentEnd = from
    let isInner = false
    for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
      if (at >= commentEnd) {
        isInner = false
        if (text.startsWith('<!--', at)) commentEnd = this.scriptCommentEnd(at + 2)
      }
      if (this.isTagAt('</script', at)) {
        if (!isInner) return at
        isInner = false
      } else if (at < commentEnd && this.isTagAt('<script', at)) isInner = true
    }
    return -1
  }

  private scriptCommentEnd(from: number): number {
    if (from >= this.noCommentEndFrom) return this.text.length
    const end = this.after('-->', from)
    if (end === this.text.length) this.noCommentEndFrom = from
    return end
  }
}

withoutLastCompiler(TagReader, TagAttributes)

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const characterReference = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi

/** Decodes numbers, and the names that addresses need. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(characterReference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}
