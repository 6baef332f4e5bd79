import type { SigningKeyStore } from '../../account/signing-key.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import type { ErasureCounts, ErasureQuery, ErasureReceipt } from '../../processing/erasure.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box, EarlierDatabases } from '../box.ts'

export interface PersonNamed {
  account: string
  /** In the form of `identityEmail`. */
  email: string
}

export interface PersonErasure extends ErasureReceipt, EarlierDatabases {
  account: string
  /** Whether the box had anything with the address. */
  erased: boolean
  /** Names of the destinations that were sent something of them: there it is still. */
  destinations: string[]
}

type ErasingBox = Pick<Box, 'accounts' | 'erasure' | 'signingKeys' | 'deliveries'>

/** Counts what `erasePerson` would erase. @throws OperatorError when there is no account of that handle */
export async function erasable(
  box: ErasingBox,
  { account: handle, email }: PersonNamed,
): Promise<ErasureCounts & Pick<PersonErasure, 'account' | 'destinations'>> {
  const account = await accountNamed(box.accounts, handle)
  const erasure = await box.erasure()
  const counts = await erasure.find(await erasureQuery(box, { accountId: account.id, email }))
  return { account: account.handle, ...counts, destinations: await box.deliveries.notified(account.id, email) }
}

/**
 * Erases a person. The receipt does not contain the address. A second call finishes an interrupted erasure.
 *
 * @throws OperatorError when there is no account of that handle
 */
export async function erasePerson(
  box: ErasingBox & Pick<Box, 'earlierDatabases'>,
  { account: handle, email }: PersonNamed,
): Promise<PersonErasure> {
  const account = await accountNamed(box.accounts, handle)
  const erasure = await box.erasure()
  let destinations: string[] = []
  const query = await erasureQuery(box, { accountId: account.id, email })
  const receipt = await erasure.erase(query, async () => {
    destinations = await box.deliveries.notified(account.id, email)
  })
  return {
    account: account.handle,
    erased: isAnythingGone(receipt),
    ...receipt,
    destinations,
    ...box.earlierDatabases(),
  }
}

/** The person to look for, by address and by every link signed for it. */
export async function erasureQuery(
  { signingKeys }: { signingKeys: Pick<SigningKeyStore, 'read'> },
  { accountId, email }: { accountId: string; email: string },
): Promise<ErasureQuery> {
  const keys = await signingKeys.read()
  // Include keys that no longer verify: clicks on links signed with them are still stored.
  const recipients = keys.allVerifying('click', { accountId, now: 0 }).map((key) => recipientId(accountId, email, key))
  return { accountId, email, recipients }
}

const isAnythingGone = ({ submissions, events, pageViews, clicks, devices }: ErasureCounts): boolean =>
  submissions + events + pageViews + clicks + devices > 0
