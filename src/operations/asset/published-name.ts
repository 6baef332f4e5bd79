import type { AssetKind } from '../../asset/asset.ts'

/** Something published, as an operator names it. */
export interface PublishedName {
  handle: string
  kind: AssetKind
  name: string
}

/** What has the bytes of this hash now, or had them in a version that is kept: so many at most. */
export type PublishedAs = (sha256: string, namesMax: number) => PublishedName[]
