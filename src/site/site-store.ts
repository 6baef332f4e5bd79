import type { AccountSettings } from '../account/account.ts'
import type { Form } from '../account/form.ts'
import type { AssetKind, AssetVersion } from '../asset/asset.ts'
import type { DestinationPublication } from './plan-destinations.ts'

/** Everything that one publish changes of one account. The bytes it names are in the asset store already. */
export interface SitePublication {
  handle: string
  /** `null`: as they are. */
  settings: AccountSettings | null
  /** New and changed forms; each gets the number after its latest version, though that one was withdrawn. */
  forms: Omit<Form, 'version'>[]
  /** Ids of forms that are no longer there. */
  withdrawnForms: string[]
  /** New and changed destinations. */
  destinations: DestinationPublication[]
  /** Names of destinations to which nothing more is sent. */
  removedDestinations: string[]
  /** Fingerprint of a key to match from now on, in place of those before it; `null`: the keys stay. */
  trackingKeyFingerprint: string | null
  assets: AssetPublication[]
  /** Epoch milliseconds. */
  publishedAt: number
}

export interface AssetPublication {
  kind: AssetKind
  name: string
  /** `null`: the asset is removed. */
  version: Pick<AssetVersion, 'sha256' | 'byteCount' | 'variants' | 'state' | 'publishedBy'> | null
}

/**
 * Publishes sites.
 *
 * Guarantees: visitors see all of a publication or nothing of it; a publish that dies half-way is cleared away by the
 * next one; other writers wait no longer than 20 ms for any step of it.
 */
export interface SiteStore {
  /**
   * Runs the work while no other process on this box publishes: what is planned from the present state stays true, and
   * bytes that were stored but are not named yet are not collected. @throws OperatorError when somebody else publishes.
   */
  exclusively<T>(doing: string, work: () => Promise<T>): Promise<T>
  /** Call within `exclusively`. @param onStep called with the number of assets staged so far. @throws OperatorError when a domain is held by another account. */
  publish(publication: SitePublication, onStep: (staged: number) => void): Promise<void>
  /** Deletes versions that are neither current nor kept for `page rollback`; answers the hashes no longer used. */
  forgetOldVersions(now: number): Promise<string[]>
  /** Of the hashes, at most 1,000, those that nothing kept on this box names. */
  unreferenced(hashes: string[]): Promise<string[]>
}
