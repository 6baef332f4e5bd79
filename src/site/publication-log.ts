import type { Publisher } from '../account/publisher.ts'
import { siteToml } from './site-faults.ts'

/**
 * Where a publication was made. `elsewhere`: from a folder that lies outside of the box. `console`: from one that a user uploaded.
 * `box`: in what the box has, by hand or in the kept `site.toml`.
 */
export type PublicationOrigin = 'elsewhere' | 'console' | 'box'

/** What a publication says of itself. */
export interface PublicationNote {
  by: Publisher
  origin: PublicationOrigin
  /** `site.toml`, `page launch`, `image brand/hero.png`: the first of those that it changed. */
  subjects: string[]
  subjectCount: number
  /** Who gets what visitors enter since then, without secrets; absent: nobody new, or a command on the box said so. */
  receivers?: string[]
}

/** One publication of an account. */
export interface PublishedNote extends PublicationNote {
  /** Epoch milliseconds. */
  at: number
}

/** A change that was made on the box since a folder was last applied from elsewhere. */
export interface HereChange {
  subject: string
  at: number
  by: Publisher
}

export const subjectsMax = 50
/** How a plan calls the tracking key, and a webhook's settings and secret. */
export const trackingKeySubject = 'key tracking key'
export const deliverySubject = (name: string): string => `delivery ${name}`
/** How long the console points out new receivers; their publications are kept as long. */
export const receiversShownMs = 7 * 86_400_000
/** Older ones of an account are forgotten. */
export const publicationsKept = 200

/** The latest publications of each account. Each is written with what it publishes, and a key or secret right after it. */
export interface PublicationLog {
  /** Latest first, at most `publicationsKept`. */
  read(accountId: string, limit: number): Promise<PublishedNote[]>
  /** Notes what was changed without a publication. */
  add(accountId: string, note: PublishedNote): Promise<void>
}

/** Whether whoever publishes may not know of a publication: folders elsewhere know nothing of what was made on the box. */
export const isUnknownTo = (origin: PublicationOrigin, earlier: PublicationOrigin): boolean =>
  origin === 'elsewhere' ? earlier !== 'elsewhere' : earlier === 'box'

/**
 * What was changed on the box since the last folder, and whoever publishes may not know of: of each thing the latest change.
 *
 * @param latest first
 */
export function changedHere(latest: readonly PublishedNote[], publishing: PublicationOrigin): HereChange[] {
  const found = new Map<string, HereChange>()
  for (const { at, by, origin, subjects } of latest) {
    if (!isUnknownTo(publishing, origin)) break
    // Whoever edits the kept folder begins with the edits before.
    if (publishing === 'box' && subjects.includes(siteToml)) continue
    for (const subject of subjects) if (!found.has(subject)) found.set(subject, { subject, at, by })
  }
  return [...found.values()]
}
