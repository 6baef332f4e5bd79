import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import type { SigningKeyStore } from '../../account/signing-key.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import { count, flag, text, texts } from '../../lib/schema.ts'
import type { Erasure, ErasureCounts, ErasureQuery, ErasureReceipt, SentSubmissions } from '../../processing/erasure.ts'
import type { Box, EarlierDatabases } from '../box.ts'

export interface ErasureDone extends ErasureReceipt, EarlierDatabases {
  account: string
  /** Whether the box had anything with the address. */
  erased: boolean
  /** Names of the destinations that were sent something of them: there it is still. */
  destinations: string[]
  /** Nodes of the cluster that have not erased it yet; `null`: that is not known. */
  notYetOn: string[] | null
}

export type ErasingBox = Pick<Box, 'accounts' | 'erasure' | 'signingKeys' | 'deliveries'>

/** What an erasure needs beside what its preview does. */
export type ErasureParts = Pick<Box, 'earlierDatabases' | 'visitorFiles' | 'assets' | 'cluster'>

type ErasingAccount = Pick<StoredAccount, 'id' | 'handle'>

/** Whom or what to erase. */
export interface Erased {
  /** Of a person, in the form of `identityEmail`; `null`: of nobody. */
  email: string | null
  sent?: SentSubmissions
}

/** Counts what would be erased. */
export async function erasable(box: ErasingBox, { id: accountId, handle }: ErasingAccount, erased: Erased) {
  const erasure = await box.erasure()
  const query = await erasureQuery(box, { accountId, ...erased })
  const found = await erasure.find(query)
  const counts = { account: handle, ...found, destinations: await destinationsOf(box, erasure, query) }
  return { answer: erasureJson({ ...counts, erased: false }), counts }
}

/** Erases, and says what went. */
export async function erase(box: ErasingBox & ErasureParts, { id: accountId, handle }: ErasingAccount, erased: Erased) {
  const erasure = await box.erasure()
  const query = await erasureQuery(box, { accountId, ...erased })
  let destinations: string[] = []
  const gone = await erasure.erase(query, async () => {
    destinations = await destinationsOf(box, erasure, query)
  })
  await box.visitorFiles.releaseLoose((sha256) => box.assets.delete(sha256))
  const receipt: ErasureDone = {
    account: handle,
    erased: isAnythingGone(gone),
    ...gone,
    destinations,
    // A node that has a later link has erased.
    notYetOn: box.cluster === null ? [] : await box.cluster.lacking(),
    ...box.earlierDatabases(),
  }
  return { answer: erasureJson(receipt), receipt }
}

const destinationsOf = async (
  { deliveries }: Pick<Box, 'deliveries'>,
  erasure: Erasure,
  query: ErasureQuery,
): Promise<string[]> =>
  deliveries.notified(query.accountId, { email: query.email, submissions: await erasure.submissionsReached(query) })

/** What an erasure answers, of a person or of a submission. */
export const erasureAnswer = Type.Object({
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
  notYetOn: Type.Optional(texts),
})

/**
 * An erasure, or what one would take, as JSON. Of destinations, nodes, and devices that could not be derived again something is
 * said only where there are any.
 */
const erasureJson = <Result extends { destinations: string[]; notDerived?: number; notYetOn?: string[] | null }>({
  destinations,
  notDerived = 0,
  notYetOn = [],
  ...result
}: Result) => ({
  ...result,
  ...(notDerived > 0 && { notDerived }),
  ...(destinations.length > 0 && { destinations }),
  ...(notYetOn !== null && notYetOn.length > 0 && { notYetOn }),
})

/** The person to look for, by address and by every link signed for it. */
export async function erasureQuery(
  { signingKeys }: { signingKeys: Pick<SigningKeyStore, 'read'> },
  { accountId, email, ...sent }: Erased & { accountId: string },
): Promise<ErasureQuery> {
  if (email === null) return { accountId, email, recipients: [], ...sent }
  const keys = await signingKeys.read()
  // Include keys that no longer verify: clicks on links signed with them are still stored.
  const recipients = keys.allVerifying('click', { accountId, now: 0 }).map((key) => recipientId(accountId, email, key))
  return { accountId, email, recipients, ...sent }
}

/** A sentence about the nodes of a cluster that have not erased yet; `null`: there are none. */
export function notYetOnText({ notYetOn }: Pick<ErasureDone, 'notYetOn'>): string | null {
  if (notYetOn === null) return 'Whether the other nodes of the cluster have erased it too is not known yet.'
  if (notYetOn.length === 0) return null
  const [nodes, follow] = notYetOn.length === 1 ? ['the node', 'it follows'] : ['the nodes', 'they follow']
  return `Not yet erased on ${nodes} ${notYetOn.join(', ')}: that happens once ${follow} the cluster again.`
}

const isAnythingGone = ({ submissions, events, pageViews, clicks, devices }: ErasureCounts): boolean =>
  submissions + events + pageViews + clicks + devices > 0
