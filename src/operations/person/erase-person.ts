import { Type } from '@sinclair/typebox'
import type { SigningKeyStore } from '../../account/signing-key.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import { count, flag, text, texts } from '../../lib/schema.ts'
import type { ErasureCounts, ErasureQuery, ErasureReceipt } from '../../processing/erasure.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box, EarlierDatabases } from '../box.ts'
import { type PersonNamed, personIdOf, personNamed } from './person-named.ts'

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

/** Erases a person, by `personId` or address. The receipt does not contain the address. A second call finishes an interrupted erasure. */
export const erasePerson = defineAct({
  name: 'person.erase',
  text: 'Erase a person, by personId or address',
  of: 'account',
  scope: 'erase',
  asksAgain: true,
  input: Type.Object({ person: text }),
  answer: Type.Object({
    account: text,
    erased: flag,
    submissions: count,
    events: count,
    pageViews: count,
    clicks: count,
    devices: count,
    verified: Type.Optional(flag),
    mentions: Type.Optional(count),
    mentionedIn: Type.Optional(texts),
    notDerived: Type.Optional(count),
    snapshots: Type.Optional(texts),
    movedAside: Type.Optional(texts),
    destinations: Type.Optional(texts),
  }),
  /** The audit log names persons by `personId`, never by address. */
  subject: ({ account, person }, box: Pick<Box, 'accounts' | 'persons'>) => personIdOf(box, { account, person }),
  async run(box: ErasingBox & Pick<Box, 'persons' | 'earlierDatabases'>, { account: handle, person }) {
    const account = await accountNamed(box.accounts, handle)
    const { email } = await personNamed(box, account, person)
    const erasure = await box.erasure()
    let destinations: string[] = []
    const query = await erasureQuery(box, { accountId: account.id, email })
    const erased = await erasure.erase(query, async () => {
      destinations = await box.deliveries.notified(account.id, email)
    })
    const receipt: PersonErasure = {
      account: account.handle,
      erased: isAnythingGone(erased),
      ...erased,
      destinations,
      ...box.earlierDatabases(),
    }
    return { answer: erasureJson(receipt), receipt }
  },
})

/**
 * An erasure, or what one would take, as JSON. Without deliveries nothing is said of destinations, and nothing of devices that
 * could not be derived again where there are none.
 */
export const erasureJson = <Result extends { destinations: string[]; notDerived?: number }>({
  destinations,
  notDerived = 0,
  ...result
}: Result) => ({
  ...result,
  ...(notDerived > 0 && { notDerived }),
  ...(destinations.length > 0 && { destinations }),
})

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
