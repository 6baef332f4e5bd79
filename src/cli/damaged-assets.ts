import type { StoredBytes } from '../asset/asset-store.ts'
import { plural } from '../lib/quantities.ts'
import type { Connection } from '../storage/sqlite/connection.ts'
import { publishedAs } from '../storage/sqlite/published-names.ts'

/** Contents that are named; the others are counted. */
const namedMax = 5
/** Names that are given of one content: the same bytes may be published in many places. */
const namesMax = 3

/** What mends damaged contents. */
export const damagedAssetsAdvice =
  'Apply the site folders that have them: `capture apply DIR` stores them again, and compressed forms are made anew. What no folder has any more, a backup from before the damage has.'

/** `2 published contents are damaged: the page launch of acme (SHA-256 ab…), …`. */
export function damagedAssetsText(reader: Pick<Connection, 'raw'>, damaged: readonly StoredBytes[]): string {
  const named = damaged.slice(0, namedMax).map((stored) => describe(reader, stored))
  const more = damaged.length > named.length ? '; …' : ''
  return `${plural(damaged.length, 'published content is', 'published contents are')} damaged: ${named.join('; ')}${more}.`
}

function describe(reader: Pick<Connection, 'raw'>, { sha256, encoding }: StoredBytes): string {
  const names = publishedAs(reader, sha256, namesMax).map(
    ({ handle, kind, name }) => `the ${kind} ${name} of ${handle}`,
  )
  const what = names.length === 0 ? 'a page as it was served once' : names.join(', ')
  return `${what}${encoding === 'identity' ? '' : `, compressed (${encoding})`} (SHA-256 ${sha256})`
}
