import type { AccountSettings } from '../account/account.ts'
import type { Form } from '../account/form.ts'
import type { AssetVersion } from '../asset/asset.ts'
import type { AssetKind } from '../asset/asset-kind.ts'
import type { KeptFolder } from './kept-folder.ts'
import type { DestinationPublication } from './plan-destinations.ts'
import type { PublicationNote } from './publication-log.ts'

/** All changes of one publish to one account. The bytes are already in the asset store. */
export interface SitePublication {
  handle: string
  /** `null`: unchanged. */
  settings: AccountSettings | null
  /** New and changed forms. Each gets the number after its latest version, even a withdrawn one. */
  forms: Omit<Form, 'version'>[]
  /** Ids of removed forms. */
  withdrawnForms: string[]
  /** New and changed destinations. */
  destinations: DestinationPublication[]
  /** Names of removed destinations. */
  removedDestinations: string[]
  /** Fingerprint of the key that replaces the earlier ones; `null`: unchanged. */
  trackingKeyFingerprint: string | null
  assets: AssetPublication[]
  /** The folder that the box keeps from now on; `null`: the one that it has. */
  folder: KeptFolder | null
  /** `null`: nothing worth telling anybody. */
  note: PublicationNote | null
  publishedAt: number
}

export interface AssetPublication {
  kind: AssetKind
  name: string
  /** `null`: the asset is removed. */
  version: Omit<AssetVersion, 'number' | 'publishedAt'> | null
}

/**
 * Publishes sites.
 *
 * Guarantees: visitors see all of a publication or nothing; the next publish clears the leftovers of a killed one; other writers
 * wait at most 20 ms for any step.
 */
export interface SiteStore {
  /**
   * Runs the work while no other process publishes, so that plans from the present state stay valid and stored but not yet
   * referenced bytes are not collected. @throws OperatorError when another process publishes
   */
  exclusively<T>(doing: string, work: () => Promise<T>): Promise<T>
  /** Call within `exclusively`. @param onStep called with the number of assets staged so far. @throws OperatorError when a domain belongs to another account */
  publish(publication: SitePublication, onStep: (staged: number) => void): Promise<void>
  /** Deletes versions that are neither current nor kept for `page rollback`. Resolves to the hashes no longer used. */
  forgetOldVersions(now: number): Promise<string[]>
  /**
   * Removes contents (at most 1,000) to which nothing on this box refers. Nobody else begins to refer to one meanwhile.
   *
   * @param remove deletes a content by its SHA-256
   */
  releaseUnreferenced(hashes: string[], remove: (sha256: string) => void): Promise<void>
}
