import { byItself } from './arrival.ts'
import type { Acted, CameFrom, Identified, Viewed } from './happening.ts'

/** What a script or a server tells of a visitor, as one event. */
export type Told =
  | { kind: 'view' }
  | { kind: 'event'; name: string }
  | { kind: 'identify'; email: string | null; traits: Record<string, string> }

export const viewed: Told = { kind: 'view' }
export const did = (name: string): Told => ({ kind: 'event', name })
export const isCalled = (email: string | null, traits: Record<string, string> = {}): Told => ({
  kind: 'identify',
  email,
  traits,
})

/** Where it was told, and how they got there. */
export interface ToldWhere {
  /** `null`: nowhere that has an address. */
  url: string | null
  /** What the page says that referred to it. */
  referrer: string | null
  /** Where somebody comes from who sees the address. */
  viewFrom: CameFrom
  /** What the address alone says of it. */
  says: CameFrom | null
}

/** The event as it is sent. */
export function asSent(told: Told, { url, referrer }: ToldWhere): object {
  const page = url === null ? {} : { url }
  if (told.kind === 'event') return { event: told.name, properties: page }
  if (told.kind === 'view') {
    return { event: '$pageview', properties: referrer === null ? page : { ...page, referrer } }
  }
  return { event: '$identify', properties: page, traits: saidTraits(told) }
}

const saidTraits = ({ email, traits }: Extract<Told, { kind: 'identify' }>): Record<string, string> =>
  email === null ? traits : { ...traits, email }

type Noted<Kind> = Kind extends unknown ? Omit<Kind, 'account' | 'at' | 'device'> : never

/** What it was in truth. */
export function asNoted(
  told: Told,
  { url, viewFrom, says }: ToldWhere,
  isBot: boolean,
): Noted<Viewed | Acted | Identified> {
  const path = url === null ? null : new URL(url).pathname
  if (told.kind === 'view') return { kind: 'view', edge: false, slug: null, path, isBot, from: viewFrom }
  if (told.kind === 'event') return { kind: 'event', name: told.name, isBot, from: says }
  return { kind: 'identify', email: told.email?.toLowerCase() ?? null, traits: saidTraits(told), from: says }
}

/** A page of the account's website, or a landing page whose script goes on telling. */
export const toldAt = (
  url: string,
  from: { says: CameFrom | null; viewFrom?: CameFrom; referrer?: string | null },
): ToldWhere => ({
  url,
  says: from.says,
  viewFrom: from.viewFrom ?? from.says ?? byItself.from,
  referrer: from.referrer ?? null,
})

export const toldNowhere: ToldWhere = { url: null, referrer: null, viewFrom: byItself.from, says: null }
