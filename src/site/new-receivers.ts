import type { AccountSettings, BotCheckSettings, StoredAccount } from '../account/account.ts'
import {
  type Destination,
  type FieldCondition,
  shownHost,
  shownUrl,
  waitsForConfirmation,
} from '../account/destination.ts'

/** Somebody who would get what visitors send, and does not get it now. */
export interface NewReceiver {
  /** As in `site.toml`: `deliveries.crm`, `bot_check.verify_url`. */
  key: string
  /** What leads where, as whoever publishes it sees it. */
  what: string
  /** The same with no more than the host of an address, whose path may be a secret: as it is kept and mailed. */
  noted: string
}

interface Folder {
  /** Those that the plan writes, with the ids of their forms. */
  destinations: readonly Destination[]
  settings: Pick<AccountSettings, 'botCheck'>
}

/**
 * New destinations, new addresses of old ones, and old ones that get submissions of more forms than before, under a wider
 * `when`, or unconfirmed ones. Visitors are none: they get nothing that others sent. A form that is new itself has no submissions
 * yet.
 *
 * @param account `null`: a new one, which has no submissions yet that anybody could be sent
 */
export function newReceivers(
  { destinations, settings }: Folder,
  account: Pick<StoredAccount, 'destinations' | 'forms' | 'settings'> | null,
): NewReceiver[] {
  if (account === null) return []
  const formIds = account.forms.map(({ id }) => id)
  const found = destinations.flatMap((after): NewReceiver[] => {
    const before = account.destinations.find(({ name, kind }) => name === after.name && kind === after.kind) ?? null
    const change =
      newAddresses(before, after) ??
      moreForms(before, after, formIds) ??
      widerCondition(before, after) ??
      unconfirmed(before, after)
    if (change === null) return []
    const [what, noted] = change
    const name = `${after.kind} "${after.name}"`
    return [{ key: `deliveries.${after.name}`, what: `${name} ${what}`, noted: `${name} ${noted}` }]
  })
  const verifier = verifierOf(settings.botCheck)
  if (verifier === null || verifier === verifierOf(account.settings.botCheck)) return found
  const what = `bot checks, with the visitor's address, to ${URL.parse(verifier)?.host ?? ''}`
  return [...found, { key: 'bot_check.verify_url', what, noted: what }]
}

/** As it is shown, and as it is kept. */
type Words = [what: string, noted: string]

function newAddresses(before: Destination | null, after: Destination): Words | null {
  if ('mail' in after) return null
  if ('url' in after) {
    if (before !== null && 'url' in before && before.url === after.url) return null
    return [`to ${shownUrl(after)}`, `to ${shownHost(after)}`]
  }
  const known = before !== null && 'to' in before ? before.to : []
  const added = after.to.filter((address) => !known.includes(address))
  return added.length === 0 ? null : [`to ${added.join(', ')}`, `to ${added.join(', ')}`]
}

function moreForms(before: Destination | null, after: Destination, formIds: readonly string[]): Words | null {
  const known = formsOf(before, formIds)
  const added = formsOf(after, formIds).filter((id) => !known.includes(id) && formIds.includes(id))
  const what = `with the submissions of ${added.join(', ')}`
  return added.length === 0 ? null : [what, what]
}

const formsOf = (destination: Destination | null, formIds: readonly string[]): readonly string[] =>
  destination !== null && 'forms' in destination ? (destination.forms ?? formIds) : []

function unconfirmed(before: Destination | null, after: Destination): Words | null {
  const what = 'with submissions that nobody has confirmed'
  return before !== null && waitsForConfirmation(before) && !waitsForConfirmation(after) ? [what, what] : null
}

function widerCondition(before: Destination | null, after: Destination): Words | null {
  const was = conditionOf(before)
  if (was === null || isWithin(conditionOf(after), was)) return null
  const what = `with submissions that its condition on "${was.field}" held back`
  return [what, what]
}

const conditionOf = (destination: Destination | null): FieldCondition | null =>
  destination !== null && 'when' in destination ? destination.when : null

/** Whether whatever meets one condition also meets the other. */
function isWithin(one: FieldCondition | null, other: FieldCondition): boolean {
  if (one === null || one.field !== other.field) return false
  if (other.is !== null) return one.is?.every((value) => other.is?.includes(value)) ?? false
  return other.isNot?.every((value) => one.isNot?.includes(value)) ?? false
}

/** The address that gets the tokens of bot checks instead of the provider's own. */
const verifierOf = ({ provider, verifyUrl }: BotCheckSettings): string | null =>
  provider === 'altcha' ? null : verifyUrl
