import type { AssetKind } from '../../asset/asset-kind.ts'
import type { StoredBytes } from '../../asset/asset-store.ts'
import { plural } from '../../lib/quantities.ts'
import type { Diagnosis } from '../check-result.ts'

/** Limits the contents that a message names. */
const namedMax = 5
/** Limits the names listed for one content, since the same bytes may be published in many places. */
const namesMax = 3

const advice =
  'Apply the site folders that have them: `capture apply DIR` stores them again and makes new compressed variants. If no site folder has the content, restore a backup from before the damage.'

/** `2 published contents are damaged: the page launch of acme (SHA-256 ab…), …`, and how to repair them. */
export function damagedAssets(damaged: readonly StoredBytes[], publishedAs: PublishedAs): Diagnosis {
  const named = damaged.slice(0, namedMax).map((stored) => describe(stored, publishedAs))
  const more = damaged.length > named.length ? '; …' : ''
  const found = `${plural(damaged.length, 'published content is', 'published contents are')} damaged: ${named.join('; ')}${more}.`
  return { found, advice }
}

function describe({ sha256, encoding }: StoredBytes, publishedAs: PublishedAs): string {
  const names = publishedAs(sha256, namesMax).map(({ handle, kind, name }) => `the ${kind} ${name} of ${handle}`)
  const what = names.length === 0 ? 'a page as it was served once, or a visitor’s file' : names.join(', ')
  return `${what}${encoding === 'identity' ? '' : `, compressed (${encoding})`} (SHA-256 ${sha256})`
}

/** The name of a page, image or file for operators. */
export interface PublishedName {
  handle: string
  kind: AssetKind
  name: string
}

/** Finds up to `namesMax` assets that have the bytes of this hash now or in a kept version. */
export type PublishedAs = (sha256: string, namesMax: number) => PublishedName[]
