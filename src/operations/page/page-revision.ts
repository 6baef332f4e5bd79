import type { Asset } from '../../asset/asset.ts'
import { assertKnown, type KnownRevisions } from '../../lib/revision.ts'

/** Changes whenever visitors are shown something else, and is never used again, for another page neither. */
export const pageRevision = ({ id, current: { number } }: { id: string; current: Pick<Asset['current'], 'number'> }) =>
  `${id}-${number}`

/** Call within `SiteStore.exclusively`. @throws ChangedMeanwhile */
export const assertPageKnown = (page: Asset, known: KnownRevisions): void =>
  assertKnown(
    known,
    pageRevision(page),
    `Somebody has changed ${page.name}: it is at version ${page.current.number} now. Look at it again.`,
  )
