import type { Directories } from './targets.ts'

/** The initial message to the keeper's thread. */
export interface KeeperSettings {
  databaseFile: string
  /** Names of the box itself. */
  ownHosts: string[]
  /** The host below which each account has one for its previews; `null`: they have none. */
  previewsBelow: string | null
  directories: Directories
  /** PEM trusted for the directories in addition to the system's roots. */
  caFile: string | null
  contact: string
  externalBinding: { kid: string; hmac: string } | null
  profile: string
  addresses: string[]
  resolvers: { host: string; port: number }[]
  /** The User-Agent for authorities. */
  userAgent: string
}

/** From the serving thread to the keeper's: the answer to a challenge is being served. */
export interface ChallengeShown {
  shown: number
}

/** From the keeper's thread to the serving one. */
export type KeeperNotice =
  /** `id`: of the acknowledgement awaited before the authority is asked to validate. */
  | { show: { id: number; token: string; keyAuthorization: string } }
  | { hide: string }
  | { issued: { host: string; isRenewal: boolean } }
