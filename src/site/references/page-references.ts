import { NameTable, readTags, type TagAttributes } from './html-tags.ts'
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
export function pageReferences(html: Buffer, isWanted: IsWanted = () => true): PageReferences {
  const reader = new PageReader(html, isWanted)
  readTags(html, wanted, reader)
  // Attributes of one tag are noted by their names.
  reader.found.references.sort((a, b) => a.at - b.at)
  return reader.found
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
  readonly found: PageReferences = { forms: [], scripts: [], hasBringingScript: false, references: [] }
  private base: string | null = null
  /** Of each open `<template>`, whether its content is inert. */
  private readonly templates: boolean[] = []
  private isInert = false
  private noscriptDepth = 0

  constructor(
    private readonly html: Buffer,
    private readonly isWanted: IsWanted,
  ) {}

  onOpen(name: string, attributes: TagAttributes): void {
    if (name === 'template') this.enterTemplate(attributes.has(shadowRoot))
    if (name === 'noscript') this.noscriptDepth += 1
    if (this.isInert || attributes.isEmpty) return
    if (name === 'base' && attributes.has(href)) this.base ??= attributes.value(href)
    if (this.noscriptDepth === 0) this.noteScripted(name, attributes)
    this.noteHref(name, attributes)
    this.noteLoaded(name, attributes)
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
