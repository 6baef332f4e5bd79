import type { Asset } from '../../asset/asset.ts'
import { ChangedMeanwhile } from '../../lib/operator-error.ts'

/** The revisions of a page that the caller has seen, one of which it has to be at; `null`: it may be at any. */
export type KnownRevisions = readonly string[] | null

/** Changes whenever visitors are shown something else, and is never used again, for another page neither. */
export const pageRevision = ({ id, current: { number } }: { id: string; current: Pick<Asset['current'], 'number'> }) =>
  `${id}-${number}`

/** Call within `SiteStore.exclusively`. @throws ChangedMeanwhile */
export function assertKnown(page: Asset, known: KnownRevisions): void {
  if (known === null || known.includes(pageRevision(page))) return
  throw new ChangedMeanwhile(
    `Somebody has changed ${page.name}: it is at version ${page.current.number} now. Look at it again.`,
  )
}
