import { knownDirectories, knownDirectoryAt } from '../acme/authority.ts'
import type { KeptName } from '../certificate-store.ts'

/** URLs of the configured directories. */
export interface Directories {
  first: string
  /** For trials after a failure at the first directory. */
  staging: string | null
  /** Takes orders once the first has failed for a day. */
  fallback: string | null
}

export interface OrderTarget {
  /** URL of the directory. */
  directory: string
  /** Whether the certificate is discarded, because the order is only a trial. */
  isTrial: boolean
}

const fallbackAfterMs = 24 * 3_600_000

/** The target of a name's next order. @param isPaused whether the directory is paused */
export function targetOf(
  name: Pick<KeptName, 'failures' | 'failingSince' | 'isTrial'>,
  { first, staging, fallback }: Directories,
  { isPaused, now }: { isPaused: (directory: string) => boolean; now: number },
): OrderTarget {
  const hasFailedLong = name.failingSince !== null && now - name.failingSince >= fallbackAfterMs
  // Alternate from then on: the first may work again, and the fallback may fail too.
  if (fallback !== null && hasFailedLong && (name.failures % 2 === 1 || isPaused(first))) {
    return { directory: fallback, isTrial: false }
  }
  if (name.isTrial && staging !== null && !isPaused(staging)) return { directory: staging, isTrial: true }
  return { directory: first, isTrial: false }
}

/** The URL of a directory that is configured by short name or URL. */
export function directoryUrl(configured: string): string {
  const known = Object.entries(knownDirectories).find(([name]) => name === configured)
  return known === undefined ? configured : known[1].url
}

/** @param staging as configured; `null`: the known staging directory of the first */
export function directoriesOf(first: string, staging: string | null, fallback: string | null): Directories {
  const url = directoryUrl(first)
  return {
    first: url,
    staging: staging === null ? (knownDirectoryAt(url)?.staging ?? null) : directoryUrl(staging),
    fallback: fallback === null ? null : directoryUrl(fallback),
  }
}

/** Whether browsers do not trust the directory's certificates. A staging directory configured as the main one is the operator's choice. */
export function isForTrials(directory: string, { first, staging, fallback }: Directories): boolean {
  if (directory === first || directory === fallback) return false
  return directory === staging || Object.values(knownDirectories).some((known) => known.staging === directory)
}

/** An authority's name in messages: the host of its directory. */
export const authorityName = (directory: string): string => URL.parse(directory)?.host ?? directory

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
