import type { AssetKind } from '../../asset/asset.ts'

/** The name of a page, image or file for operators. */
export interface PublishedName {
  handle: string
  kind: AssetKind
  name: string
}

/** Finds up to `namesMax` assets that have the bytes of this hash now or in a kept version. */
export type PublishedAs = (sha256: string, namesMax: number) => PublishedName[]
