import type { StoredBytes } from '../../asset/asset-store.ts'
import { plural } from '../../lib/quantities.ts'
import type { Diagnosis } from '../diagnosis.ts'
import type { PublishedAs } from './published-name.ts'

/** Contents that are named; the others are counted. */
const namedMax = 5
/** Names that are given of one content: the same bytes may be published in many places. */
const namesMax = 3

/** What mends damaged contents. */
const advice =
  'Apply the site folders that have them: `capture apply DIR` stores them again, and compressed forms are made anew. What no folder has any more, a backup from before the damage has.'

/** `2 published contents are damaged: the page launch of acme (SHA-256 ab…), …`, and what mends them. */
export function damagedAssets(damaged: readonly StoredBytes[], publishedAs: PublishedAs): Diagnosis {
  const named = damaged.slice(0, namedMax).map((stored) => describe(stored, publishedAs))
  const more = damaged.length > named.length ? '; …' : ''
  const found = `${plural(damaged.length, 'published content is', 'published contents are')} damaged: ${named.join('; ')}${more}.`
  return { found, advice }
}

function describe({ sha256, encoding }: StoredBytes, publishedAs: PublishedAs): string {
  const names = publishedAs(sha256, namesMax).map(({ handle, kind, name }) => `the ${kind} ${name} of ${handle}`)
  const what = names.length === 0 ? 'a page as it was served once' : names.join(', ')
  return `${what}${encoding === 'identity' ? '' : `, compressed (${encoding})`} (SHA-256 ${sha256})`
}
