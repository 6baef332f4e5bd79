import { withoutLastCompiler } from '../../lib/last-compiler.ts'
import { NameTable, type TagAttributes, TagReader } from './html-tags.ts'
import { type PlacedAddress, srcsetAddresses, styleAddresses } from './style-addresses.ts'

/** An address in a page or style sheet. Places are bytes; `lineFeeds` more lines lie between a place and the address. */
export interface Reference extends PlacedAddress {
  /** As written. */
  address: string
  at: number
  /** `link`: what a visitor goes to; `content`: what the page loads. */
  use: 'link' | 'content'
  /** The `<base>` before it, as written; `null`: none. */
  base: string | null
}

/** What one page names. */
export interface PageReferences {
  /** The forms that the script is to send. */
  forms: { id: string; at: number }[]
  /** Addresses of scripts, as written. */
  scripts: Pick<Reference, 'address' | 'base'>[]
  /** Whether a script in the page brings the client script, or sends forms itself, as far as its text tells. */
  hasBringingScript: boolean
  /** By ascending place. */
  references: Reference[]
}

/** Of one page, and of one style sheet; what comes later is not judged. */
export const referencesMax = 20_000

/** Tells whether a reference is to be noted, by its address as written and the `<base>` before it. */
type IsWanted = (address: string, base: string | null) => boolean

/** Reads what a page in UTF-8 names, and where. What is inert is left out: comments, and `<template>`. */
export const pageReferences = (html: Buffer, isWanted: IsWanted = () => true): PageReferences =>
  new PagesReader(isWanted).read(html)

/** A part of a page that begins and ends outside of everything that gives its bytes another meaning. */
interface Stretch {
  /** A character for each byte. */
  text: string
  /** What it names, by places in the page that it was read in; `null`: nothing. */
  found: PageReferences | null
  /** Where it began in that page. */
  from: number
  /** Whether that page ended with it, which may have cut a tag short. */
  isLast: boolean
}

/** Tags read before a stretch may end. */
const tagsPerStretch = 8
/** Of longer pages, stretches are copied: a slice keeps its whole page. */
const keptBytesMax = 65_536

/**
 * Reads pages one after another. Stretches that a page has in common with the one before, as the head and the foot of a site's pages, are
 * compared and not read again.
 */
export class PagesReader {
  /** The page before. */
  private before: Stretch[] = []

  constructor(private readonly isWanted: IsWanted) {}

  read(html: Buffer): PageReferences {
    const reader = new PageReader(html, this.isWanted)
    const { text } = reader
    const { before } = this
    const end = commonEnd(before, text)
    const stretches: Stretch[] = []
    const found = nothing()
    for (let at = 0, next = 0; at < text.length; next += 1) {
      if (at === end.at) next = end.index
      const known = before[next]
      const stretch = known !== undefined && isAt(known, text, at) ? known : reader.stretch(at, end.at)
      if (stretch.found !== null) addTo(found, stretch.found, at - stretch.from)
      stretches.push(stretch)
      at += stretch.text.length
    }
    this.before = stretches
    // Attributes of one tag are noted by their names.
    found.references.sort((a, b) => a.at - b.at)
    return found
  }
}

const nothing = (): PageReferences => ({ forms: [], scripts: [], hasBringingScript: false, references: [] })

/** Where a page begins to end as the one before, and with which of its stretches. */
function commonEnd(before: readonly Stretch[], text: string): { at: number; index: number } {
  let at = text.length
  let index = before.length
  for (let last = before[index - 1]; last !== undefined && text.endsWith(last.text, at); last = before[index - 1]) {
    at -= last.text.length
    index -= 1
  }
  return { at, index }
}

const isAt = (stretch: Stretch, text: string, at: number): boolean =>
  text.startsWith(stretch.text, at) && (!stretch.isLast || at + stretch.text.length === text.length)

/** @param shift how much later it stands in this page */
function addTo(
  found: PageReferences,
  { forms, scripts, hasBringingScript, references }: PageReferences,
  shift: number,
) {
  for (const form of forms) if (found.forms.length < referencesMax) found.forms.push({ ...form, at: form.at + shift })
  for (const reference of references)
    if (found.references.length < referencesMax) found.references.push({ ...reference, at: reference.at + shift })
  found.scripts.push(...scripts)
  found.hasBringingScript ||= hasBringingScript
}

/** Reads the addresses that a style sheet in UTF-8 loads. */
export const sheetReferences = (css: Buffer): Reference[] =>
  styleAddresses(css.toString('utf8'))
    .slice(0, referencesMax)
    .map((placed) => ({ ...placed, at: 0, use: 'content', base: null }))

const attributeNames = new NameTable([
  ...['href', 'xlink:href', 'src', 'srcset', 'imagesrcset', 'poster', 'data', 'action', 'formaction', 'style'],
  ...['rel', 'http-equiv', 'content', 'data-svc-form', 'shadowrootmode'],
])
const wanted = {
  elements: new NameTable([
    ...['a', 'area', 'base', 'form', 'frame', 'iframe', 'link', 'meta', 'noscript', 'object', 'script', 'style'],
    ...['template', 'image', 'use', 'feimage'],
  ]),
  attributes: attributeNames,
}
const href = attributeNames.indexOf('href')
const drawnHref = attributeNames.indexOf('xlink:href')
const source = attributeNames.indexOf('src')
const sources = ['srcset', 'imagesrcset'].map((name) => attributeNames.indexOf(name))
const poster = attributeNames.indexOf('poster')
const data = attributeNames.indexOf('data')
const action = attributeNames.indexOf('action')
const formAction = attributeNames.indexOf('formaction')
const style = attributeNames.indexOf('style')
const rel = attributeNames.indexOf('rel')
const httpEquiv = attributeNames.indexOf('http-equiv')
const content = attributeNames.indexOf('content')
const formId = attributeNames.indexOf('data-svc-form')
const shadowRoot = attributeNames.indexOf('shadowrootmode')

/** A bit for each attribute that names addresses, without those of links. */
const loaded = [source, ...sources, poster, data, action, formAction, style].reduce(
  (bits, index) => bits | (1 << index),
  0,
)

/** Elements to whose `href` a visitor goes, and those that load it. */
const linking: ReadonlySet<string> = new Set(['a', 'area'])
const drawing: ReadonlySet<string> = new Set(['image', 'use', 'feimage'])
const framing: ReadonlySet<string> = new Set(['frame', 'iframe'])

/** `<link rel>` that loads its address; those that only open a connection name no content. */
const loadingRels: ReadonlySet<string> = new Set([
  ...['stylesheet', 'icon', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon', 'manifest', 'preload'],
  'modulepreload',
])
const connectingRels: ReadonlySet<string> = new Set(['preconnect', 'dns-prefetch'])

/** Addresses of services that put scripts into pages. */
const tagManagers = ['googletagmanager.com/gtm.js', 'tags.tiqcdn.com', 'assets.adobedtm.com']

export const namesTagManager = (text: string): boolean => tagManagers.some((mark) => text.includes(mark))

/** Whether a script's text tells that it may bring the client script, or send forms itself. What it imports is not read. */
export const mayBringScript = (text: string): boolean =>
  text.includes('_svc') || namesTagManager(text) || /\bimport\b/.test(text)

class PageReader {
  private readonly tags: TagReader
  private found = nothing()
  private base: string | null = null
  /** Of each open `<template>`, whether its content is inert. */
  private readonly templates: boolean[] = []
  private isInert = false
  private noscriptDepth = 0

  constructor(
    private readonly html: Buffer,
    private readonly isWanted: IsWanted,
  ) {
    this.tags = new TagReader(html, wanted, this)
  }

  get text(): string {
    return this.tags.text
  }

  /** Reads a stretch. @param end where a stretch that is known begins */
  stretch(from: number, end: number): Stretch {
    const { tags, html } = this
    let at = from
    for (let count = 0; at < html.length; count += 1) {
      if ((count >= tagsPerStretch || at === end) && this.isPlain && tags.isBorder(at)) break
      at = tags.readNext(at)
    }
    const { found } = this
    const isEmpty =
      found.references.length + found.forms.length + found.scripts.length === 0 && !found.hasBringingScript
    if (!isEmpty) this.found = nothing()
    const text = html.length > keptBytesMax ? html.toString('latin1', from, at) : tags.text.slice(from, at)
    return { text, found: isEmpty ? null : found, from, isLast: at === html.length }
  }

  /** Whether nothing before has a say in what tags mean. */
  private get isPlain(): boolean {
    return this.base === null && this.templates.length === 0 && this.noscriptDepth === 0
  }

  onOpen(name: string, attributes: TagAttributes): void {
    if (name === 'template') this.enterTemplate(attributes.has(shadowRoot))
    if (name === 'noscript') this.noscriptDepth += 1
    if (this.isInert || attributes.isEmpty) return
    if (name === 'base' && attributes.has(href)) this.base ??= attributes.value(href)
    if (this.noscriptDepth === 0) this.noteScripted(name, attributes)
    this.noteHref(name, attributes)
    if (attributes.hasAny(loaded)) this.noteLoaded(name, attributes)
    if (name === 'meta') this.noteRefresh(attributes)
  }

  onClose(name: string): void {
    if (name === 'noscript') this.noscriptDepth = Math.max(0, this.noscriptDepth - 1)
    if (name !== 'template') return
    this.templates.pop()
    this.isInert = this.templates.includes(true)
  }

  onText(name: string, from: number, to: number): void {
    if (this.isInert) return
    if (name === 'style') this.addAll(styleAddresses(this.html.toString('utf8', from, to)), from)
    if (name === 'script' && this.noscriptDepth === 0 && mayBringScript(this.html.toString('latin1', from, to)))
      this.found.hasBringingScript = true
  }

  /** A template with a shadow root is shown; any other waits for a script. */
  private enterTemplate(isShown: boolean): void {
    this.templates.push(!isShown)
    this.isInert ||= !isShown
  }

  /** What works with scripts alone. */
  private noteScripted(name: string, attributes: TagAttributes): void {
    if (name === 'form' && attributes.has(formId) && this.found.forms.length < referencesMax)
      this.found.forms.push({ id: attributes.value(formId), at: attributes.at(formId) })
    if (name !== 'script') return
    const address = attributes.value(attributes.has(source) ? source : href)
    if (address !== '') this.found.scripts.push({ address, base: this.base })
  }

  private noteHref(name: string, attributes: TagAttributes): void {
    const index = attributes.has(href) ? href : drawnHref
    if (!attributes.has(index)) return
    if (linking.has(name)) this.add(attributes, index, 'link')
    else if (drawing.has(name)) this.add(attributes, index, 'content')
    else if (name === 'link') this.noteLink(attributes)
  }

  private noteLink(attributes: TagAttributes): void {
    const words = attributes.value(rel).toLowerCase().split(/\s+/)
    if (words.some((word) => loadingRels.has(word))) this.add(attributes, href, 'content')
    else if (!words.some((word) => connectingRels.has(word))) this.add(attributes, href, 'link')
  }

  private noteLoaded(name: string, attributes: TagAttributes): void {
    this.add(attributes, source, framing.has(name) ? 'link' : 'content')
    this.add(attributes, poster, 'content')
    this.add(attributes, formAction, 'link')
    if (name === 'object') this.add(attributes, data, 'content')
    if (name === 'form') this.add(attributes, action, 'link')
    for (const index of sources)
      if (attributes.has(index)) this.addAll(srcsetAddresses(attributes.value(index)), attributes.valueAt(index))
    if (attributes.has(style)) this.addAll(styleAddresses(attributes.value(style)), attributes.valueAt(style))
  }

  /** `<meta http-equiv="refresh" content="5; url=/launch">` */
  private noteRefresh(attributes: TagAttributes): void {
    if (attributes.value(httpEquiv).trim().toLowerCase() !== 'refresh') return
    const [, address = ''] = /url *= *["']?([^"']+)/i.exec(attributes.value(content)) ?? []
    this.push({ address, lineFeeds: 0 }, attributes.at(content), 'link')
  }

  private add(attributes: TagAttributes, index: number, use: Reference['use']): void {
    if (attributes.has(index)) this.push({ address: attributes.value(index), lineFeeds: 0 }, attributes.at(index), use)
  }

  private addAll(placed: readonly PlacedAddress[], at: number): void {
    for (const each of placed) this.push(each, at, 'content')
  }

  private push({ address, lineFeeds }: PlacedAddress, at: number, use: Reference['use']): void {
    const { base } = this
    const { references } = this.found
    if (references.length < referencesMax && this.isWanted(address, base))
      references.push({ address, lineFeeds, at, use, base })
  }
}

withoutLastCompiler(PagesReader, PageReader)
