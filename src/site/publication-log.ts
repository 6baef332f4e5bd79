import type { Publisher } from '../account/publisher.ts'
import { subjectOf } from '../asset/asset.ts'
import type { Change } from './change.ts'
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
  /** The keys of settings, forms and deliveries that it changed (`keysOf`); absent: not known. */
  keys?: string[]
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

/** One that whoever publishes may not know of. */
export interface UnknownChange extends HereChange {
  /** Of `site.toml` and of settings, the keys that were changed; `null`: not known, or another subject. */
  keys: readonly string[] | null
}

export const subjectsMax = 50
/** Of more, none is noted. */
export const keysMax = 1000
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
export function changedHere(latest: readonly PublishedNote[], publishing: PublicationOrigin): UnknownChange[] {
  const found = new Map<string, UnknownChange>()
  for (const { at, by, origin, subjects, keys = null } of latest) {
    if (!isUnknownTo(publishing, origin)) break
    // Whoever edits the kept folder begins with the edits before.
    if (publishing === 'box' && subjects.includes(siteToml)) continue
    for (const subject of subjects) {
      const known = found.get(subject) ?? { subject, at, by, keys: hasKeys(subject) ? [] : null }
      found.set(subject, { ...known, keys: known.keys && keys && [...known.keys, ...keys] })
    }
  }
  return [...found.values()]
}

const hasKeys = (subject: string): boolean => subject === siteToml || subject.startsWith('settings ')

/** What changes of settings, forms and deliveries change, key by key; what comes or goes, by its subject: all of its keys. */
export const keysOf = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ action, kind, name, note, fields }) => {
    const subject = subjectOf({ kind, name: kind === 'form' ? (note ?? name) : name })
    return action === 'update' ? fields.map(({ field }) => `${subject}: ${field}`) : [subject]
  })

/**
 * Whether changes undo one that was made on the box: a folder that has it as well may change other keys of the same file.
 *
 * @param subjects of the changes
 * @param keys of those of settings, forms and deliveries
 */
export const isUndone = (
  { subject, keys: changed }: UnknownChange,
  { subjects, keys }: { subjects: ReadonlySet<string>; keys: readonly string[] },
): boolean =>
  subjects.has(subject) && (changed === null || changed.some((key) => keys.some((other) => isSameKey(key, other))))

const isSameKey = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}: `) || other.startsWith(`${one}: `)
