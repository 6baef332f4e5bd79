import type { Asset } from '../../asset/asset.ts'
import { assetKinds, type PathKind, pathKinds } from '../../asset/asset-kind.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { named } from './download-routes.ts'

/** A page with more references than this keeps the later ones as they are. */
const referencesMax = 2000
/** A name percent-encoded, each byte of it, would be longer still; none in use is. */
const referenceCharactersMax = 600
/** How often one reference is tried with a longer name: names may contain what also ends a reference. */
const triesMax = 16

/** Not behind a host: those addresses lead to the connected domain. */
const start = /(?<![\w.\]-])\/_svc\/(?:img|file)\/|(?<![\w.\]/-])(?:\.{1,2}\/)*\/?assets\//g
const beyond = /["<>`\\\n]/
const ends = /[\s'(),;&?#]|$/g
const queryAtStart = /^\?[^\s"'<>`\\),#]*/

/**
 * A page's markup with each reference to an image or file of the account replaced by its signed address. A sandboxed page
 * sends no Referer (Referrer Policy, section 8.3), which is what `/_svc/img/…` and `/_svc/file/…` require on the preview host.
 *
 * The text is searched, not the elements, so references in style sheets, `srcset` and scripts are found too.
 *
 * @param addressOf the signed address of an asset
 */
export function withSignedReferences(
  markup: string,
  { byPath }: Pick<LiveSite, 'byPath'>,
  addressOf: (asset: Asset) => string,
): string {
  let result = ''
  let done = 0
  let references = 0
  for (const match of markup.matchAll(start)) {
    const nameAt = match.index + match[0].length
    if (match.index < done) continue
    if (++references > referencesMax) break
    const found = referenced(byPath[kindOf(match[0])], markup.slice(nameAt, nameAt + referenceCharactersMax))
    if (found === null) continue
    result += markup.slice(done, match.index) + addressOf(found.asset)
    done = nameAt + found.length
  }
  return result + markup.slice(done)
}

const kindOf = (reference: string): PathKind => pathKinds.find((kind) => reference === assetKinds[kind].path) ?? 'asset'

/** The asset with the shortest name that the text begins with, and how much of the text names it. */
function referenced(assets: ReadonlyMap<string, Asset>, text: string): { asset: Asset; length: number } | null {
  const [whole = ''] = text.split(beyond, 1)
  let tries = 0
  for (const { index } of whole.matchAll(ends)) {
    if (++tries > triesMax) return null
    const asset = named(assets, whole.slice(0, index))
    // A query of the page's own would make the signature wrong.
    if (asset !== null) return { asset, length: index + (queryAtStart.exec(whole.slice(index))?.[0].length ?? 0) }
  }
  return null
}
