import type { AccountSettings, BotCheckSettings, StoredAccount } from '../account/account.ts'
import { type Destination, shownUrl } from '../account/destination.ts'

/** Somebody who would get what visitors send, and does not get it now. */
export interface NewReceiver {
  /** As in `site.toml`: `deliveries.crm`, `bot_check.verify_url`. */
  key: string
  /** What leads where, without secrets. */
  what: string
}

interface Folder {
  /** Those that the plan writes, with the ids of their forms. */
  destinations: readonly Destination[]
  settings: Pick<AccountSettings, 'botCheck'>
}

/**
 * New destinations, new addresses of old ones, and old ones that get the submissions of more forms than before. Replies are none:
 * they go to the visitor and quote nothing. A form that is new itself has no submissions yet.
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
    const what = newAddresses(before, after) ?? moreForms(before, after, formIds)
    return what === null ? [] : [{ key: `deliveries.${after.name}`, what: `${after.kind} "${after.name}" ${what}` }]
  })
  const verifier = verifierOf(settings.botCheck)
  if (verifier === null || verifier === verifierOf(account.settings.botCheck)) return found
  const host = URL.parse(verifier)?.host ?? ''
  return [...found, { key: 'bot_check.verify_url', what: `bot checks, with the visitor's address, to ${host}` }]
}

function newAddresses(before: Destination | null, after: Destination): string | null {
  if (after.kind === 'reply') return null
  if ('url' in after)
    return before !== null && 'url' in before && before.url === after.url ? null : `to ${shownUrl(after)}`
  const known = before !== null && 'to' in before ? before.to : []
  const added = after.to.filter((address) => !known.includes(address))
  return added.length === 0 ? null : `to ${added.join(', ')}`
}

function moreForms(before: Destination | null, after: Destination, formIds: readonly string[]): string | null {
  const known = formsOf(before, formIds)
  const added = formsOf(after, formIds).filter((id) => !known.includes(id) && formIds.includes(id))
  return added.length === 0 ? null : `with the submissions of ${added.join(', ')}`
}

const formsOf = (destination: Destination | null, formIds: readonly string[]): readonly string[] =>
  destination === null || destination.kind === 'report' || destination.kind === 'reply'
    ? []
    : (destination.forms ?? formIds)

/** The address that gets the tokens of bot checks instead of the provider's own. */
const verifierOf = ({ provider, verifyUrl }: BotCheckSettings): string | null =>
  provider === 'altcha' ? null : verifyUrl
