import { treatedAs } from '../asset/asset-kind.ts'
import type { SiteFolder } from './folder.ts'
import type { FolderAsset } from './folder-assets.ts'
import { LineFeeds } from './references/line-feeds.ts'
import { ownPath } from './references/own-path.ts'
import {
  mayBringScript,
  namesTagManager,
  type PageReferences,
  PagesReader,
  type Reference,
  sheetReferences,
} from './references/page-references.ts'
import { addressOf, WhatIsThere } from './what-is-there.ts'

/** An address that leads to nothing which the folder makes live. */
export interface DoubtedReference extends Pick<Reference, 'address' | 'use' | 'base'> {
  /** Of the file, relative to the folder. */
  file: string
  line: number
  /** Where it leads on the account's domains. */
  path: string
  /** Whether visitors get the file only in previews. */
  isPreview: boolean
}

export interface DoubtedForm {
  file: string
  line: number
  id: string
}

/** A page with a form, on which the client script was not found. */
export interface ScriptlessPage extends DoubtedForm {
  /** Scripts of the account's own, by their paths. */
  ownScripts: string[]
  /** Another account's host that the page loads the client script from; `null`: none. */
  otherHost: string | null
}

/** Doubts of one folder; what goes beyond is not judged. */
export const doubtsMax = 10_000
/** Stylesheets and scripts that are longer are not read. */
const readBytesMax = 2_097_152
/** Addresses whose way is remembered. */
const rememberedMax = 50_000
const scriptPath = '/_svc/v1.js'

/**
 * What the pages and stylesheets of a folder name, as far as the folder alone does not answer for it. Files are read while they are
 * hashed, so that no byte is read twice and no page is kept.
 */
export class FolderReferences {
  readonly references: DoubtedReference[] = []
  readonly forms: DoubtedForm[] = []
  readonly scriptless: ScriptlessPage[] = []
  /** Paths of own scripts that certainly do not bring the client script. */
  readonly silentScripts = new Set<string>()
  /** What the folder itself makes live. */
  readonly there: WhatIsThere
  private readonly registered: ReadonlySet<string>
  private readonly liveFiles: ReadonlySet<string>
  /** Addresses as pages mostly write them, of what is live. */
  private readonly liveAddresses: ReadonlySet<string>
  private readonly seen = new Set<string>()
  /** Paths of addresses in pages without a base, where there is nothing live; `null`: there is, or the address is not ours. */
  private readonly remembered = new Map<string, string | null>()
  private readonly pages = new PagesReader(
    (address, base) =>
      !(base === null && this.isLive(address)) && this.doubtfulPath(pagePath, { address, base }) !== null,
  )
  /** What addresses of the account's own begin with as pages mostly write them. */
  private readonly origins: readonly string[]

  constructor(private readonly folder: Pick<SiteFolder, 'settings' | 'forms' | 'assets'>) {
    this.there = new WhatIsThere(folder.settings, folder.assets)
    this.registered = new Set(folder.forms.filter(({ registered }) => registered).map(({ id }) => id))
    const live = folder.assets.filter(({ state }) => state === 'live')
    this.liveFiles = new Set(live.map(({ file }) => file))
    this.liveAddresses = new Set(live.filter(({ kind }) => kind !== 'error_page').map(addressOf))
    this.origins = folder.settings.domains.map((domain) => `https://${domain}`)
  }

  /** Whether `read` wants a file's bytes. */
  wants({ kind, name, byteCount }: FolderAsset): boolean {
    return (
      treatedAs(kind) === 'page' || (kind === 'asset' && byteCount <= readBytesMax && /\.(?:css|m?js)$/i.test(name))
    )
  }

  /** Notes what a file names. A file of several pages is read once. */
  read(asset: FolderAsset, bytes: Uint8Array): void {
    if (this.seen.has(asset.file)) return
    this.seen.add(asset.file)
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (treatedAs(asset.kind) === 'page') this.readPage(asset, text)
    else if (/\.css$/i.test(asset.name)) this.noteReferences(asset, text, sheetReferences(text))
    else if (!mayBringScript(text.toString('latin1'))) this.silentScripts.add(addressOf(asset))
  }

  private readPage(page: FolderAsset, html: Buffer): void {
    const found = this.pages.read(html)
    this.noteReferences(page, html, found.references)
    if (found.forms.length > 0) this.noteForms(page, html, found)
  }

  private noteReferences(asset: FolderAsset, bytes: Buffer, references: readonly Reference[]): void {
    const feeds = new LineFeeds(bytes)
    for (const reference of references) {
      const path = this.doubtfulPath(pathOf(asset), reference)
      if (path === null || this.references.length > doubtsMax) continue
      const { address, use, base, at, lineFeeds } = reference
      const isPreview = !this.liveFiles.has(asset.file)
      if (isPreview && this.there.way(path, true).to !== 'nowhere') continue
      const line = 1 + feeds.before(at) + lineFeeds
      this.references.push({ file: asset.shown, line, address, use, base, path, isPreview })
    }
  }

  private isLive(address: string): boolean {
    if (this.liveAddresses.has(address)) return true
    const origin = this.origins.find((own) => address.startsWith(own))
    return origin !== undefined && this.liveAddresses.has(address.slice(origin.length))
  }

  /** Where an address of the account leads, if the folder has nothing live there. */
  private doubtfulPath(from: string, { address, base }: Pick<Reference, 'address' | 'base'>): string | null {
    const isRemembered = base === null && from === pagePath
    const known = isRemembered ? this.remembered.get(address) : undefined
    if (known !== undefined) return known
    const path = ownPath(address, { domains: this.folder.settings.domains, from, base })
    const doubtful = path !== null && this.there.way(path).to === 'nowhere' ? path : null
    if (isRemembered && this.remembered.size < rememberedMax) this.remembered.set(address, doubtful)
    return doubtful
  }

  private noteForms(page: FolderAsset, html: Buffer, { forms, scripts, hasBringingScript }: PageReferences): void {
    const { domains } = this.folder.settings
    const own = scripts.flatMap(({ address, base }) => ownPath(address, { domains, from: pagePath, base }) ?? [])
    const otherHost = own.includes(scriptPath) ? null : otherScriptHost(scripts)
    const placed = (some: PageReferences['forms']): DoubtedForm[] => {
      const feeds = new LineFeeds(html)
      return some.map(({ id, at }) => ({ file: page.shown, line: 1 + feeds.before(at), id }))
    }
    const unknown = forms.filter(({ id }) => !this.registered.has(id))
    // Forms that another account's script sends are that account's.
    if (otherHost === null) this.forms.push(...placed(unknown.slice(0, doubtsMax - this.forms.length)))
    const sent = otherHost === null ? forms : forms.filter(({ id }) => this.registered.has(id))
    const isScripted =
      own.includes(scriptPath) || hasBringingScript || scripts.some(({ address }) => namesTagManager(address))
    if (isScripted || this.scriptless.length >= doubtsMax) return
    for (const first of placed(sent.slice(0, 1))) this.scriptless.push({ ...first, ownScripts: own, otherHost })
  }
}

/** Addresses of pages are relative to this path, wherever their files lie. */
const pagePath = '/'

const pathOf = (asset: FolderAsset): string => (asset.kind === 'asset' ? addressOf(asset) : pagePath)

/** The host of another account's client script. */
function otherScriptHost(scripts: PageReferences['scripts']): string | null {
  for (const { address } of scripts) {
    const url = URL.parse(address, 'https://own.invalid')
    if (url?.pathname === scriptPath && url.hostname !== 'own.invalid') return url.hostname
  }
  return null
}
