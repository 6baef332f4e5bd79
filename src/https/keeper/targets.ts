import { knownDirectories, knownDirectoryAt } from '../acme/directories.ts'
import type { KeptName } from '../kept-name.ts'

/** URLs of the directories that certificates are ordered at. */
export interface Directories {
  first: string
  /** For trials after a failure at the first. */
  staging: string | null
  /** Takes orders once the first has failed for a day. */
  fallback: string | null
}

export interface OrderTarget {
  /** URL of the directory. */
  directory: string
  /** What comes of it is of no use but to know that it works. */
  isTrial: boolean
}

const fallbackAfterMs = 24 * 3_600_000

/** Where the next order of a name goes. @param isPaused whether the directory cannot be asked just now */
export function targetOf(
  name: Pick<KeptName, 'failures' | 'failingSince' | 'isTrial'>,
  { first, staging, fallback }: Directories,
  { isPaused, now }: { isPaused: (directory: string) => boolean; now: number },
): OrderTarget {
  const hasFailedLong = name.failingSince !== null && now - name.failingSince >= fallbackAfterMs
  // By turns from then on: the first may work again, and the second may fail as well.
  if (fallback !== null && hasFailedLong && (name.failures % 2 === 1 || isPaused(first))) {
    return { directory: fallback, isTrial: false }
  }
  if (name.isTrial && staging !== null && !isPaused(staging)) return { directory: staging, isTrial: true }
  return { directory: first, isTrial: false }
}

/** The URL of a directory that is configured by its short name or its URL. */
export function directoryUrl(configured: string): string {
  const known = Object.entries(knownDirectories).find(([name]) => name === configured)
  return known === undefined ? configured : known[1].url
}

/** @param staging as configured; `null`: the one that is known of the first */
export function directoriesOf(first: string, staging: string | null, fallback: string | null): Directories {
  const url = directoryUrl(first)
  return {
    first: url,
    staging: staging === null ? (knownDirectoryAt(url)?.staging ?? null) : directoryUrl(staging),
    fallback: fallback === null ? null : directoryUrl(fallback),
  }
}

/** Certificates of a directory for trials are believed by nobody; one that is configured for good is the operator's will. */
export function isForTrials(directory: string, { first, staging, fallback }: Directories): boolean {
  if (directory === first || directory === fallback) return false
  return directory === staging || Object.values(knownDirectories).some((known) => known.staging === directory)
}

/** How messages call an authority: by the host of its directory. */
export const authorityName = (directory: string): string => URL.parse(directory)?.host ?? directory
