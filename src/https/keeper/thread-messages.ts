import type { Log, LogFields } from '../../lib/log.ts'
import type { Directories } from './targets.ts'

/** All that the keeper's thread is told when it begins. */
export interface KeeperSettings {
  databaseFile: string
  /** Names of the box itself. */
  ownHosts: string[]
  directories: Directories
  /** PEM that is trusted for the directories beside the system's roots. */
  caFile: string | null
  contact: string
  externalBinding: { kid: string; hmac: string } | null
  profile: string
  addresses: string[]
  resolvers: { host: string; port: number }[]
  /** Who is asking, for authorities. */
  userAgent: string
}

/** From the serving thread to the keeper's. */
export type ToKeeper =
  | { begin: KeeperSettings }
  /** The answer to a challenge is shown from now on. */
  | { shown: number }
  | { close: true }

/** From the keeper's thread to the serving one. */
export type FromKeeper =
  /** `id`: of the acknowledgement that is waited for before the authority is told to look. */
  | { show: { id: number; token: string; keyAuthorization: string } }
  | { hide: string }
  | { issued: { host: string; isRenewal: boolean } }
  | { log: { level: keyof Log; message: string; fields: LogFields } }
  | { closed: true }
