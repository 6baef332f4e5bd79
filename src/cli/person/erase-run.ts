import type { StoredAccount } from '../../account/account.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import { count, plural } from '../../lib/quantities.ts'
import type { ErasureCounts, ErasureQuery, ErasureReceipt } from '../../processing/erasure.ts'
import type { ExitStatus } from '../command.ts'
import { boxesMovedAside } from '../lost-database.ts'
import type { CommandBox } from '../open.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import type { Session } from '../session.ts'
import { snapshotsIn } from '../snapshots.ts'

interface Asked {
  box: Pick<CommandBox, 'erasure' | 'signingKeys' | 'dataDir'>
  account: StoredAccount
  /** As `identityEmail` writes it. */
  email: string
  json: boolean
}

/** Prints what an erasure would take. */
export async function wouldErase(asked: Asked, session: Session): Promise<void> {
  const { box, account, json } = asked
  const erasure = await box.erasure()
  const counts = await erasure.find(await erasureQuery(asked))
  const text = `Of ${account.handle} would go ${countsText(counts)}.`
  await session.out.write(json ? toJson({ account: account.handle, erased: false, ...counts }) : `${printable(text)}\n`)
}

/** Erases the person and prints the receipt, which does not name them. */
export async function erasePerson(asked: Asked, session: Session): Promise<ExitStatus> {
  const { box, account, json } = asked
  const erasure = await box.erasure()
  const receipt = await erasure.erase(await erasureQuery(asked))
  const copies = { snapshots: snapshotsIn(box.dataDir), movedAside: boxesMovedAside(box.dataDir) }
  const result = { account: account.handle, erased: isAnythingGone(receipt), ...receipt, ...copies }
  await session.out.write(json ? toJson(result) : receiptText(account.handle, receipt, copies))
  return receipt.verified ? 0 : 1
}

/** Whose records are looked for, by the address and by every link that was signed for it. */
export async function erasureQuery({
  box,
  account: { id },
  email,
}: Pick<Asked, 'account' | 'email'> & { box: Pick<CommandBox, 'signingKeys'> }): Promise<ErasureQuery> {
  const keys = await box.signingKeys.read()
  // Also those that verify no more: clicks on what they signed are still there.
  const recipients = keys.allVerifying('click', 0).map((key) => recipientId(id, email, key))
  return { accountId: id, email, recipients }
}

/** Earlier databases of the box that lie on this machine. */
interface Copies {
  snapshots: string[]
  /** Folders that restores have moved aside. */
  movedAside: string[]
}

function receiptText(handle: string, receipt: ErasureReceipt, { snapshots, movedAside }: Copies): string {
  const lines = [
    erasedText(handle, receipt),
    receipt.verified
      ? 'Verified: no free byte of the database and its write-ahead log holds the address.'
      : notVerified(receipt),
    ...mentionText(receipt),
    'Out of reach: backups and exports made before. Delete those that hold this person, or erase again after a restore.',
    ...snapshots.map(
      (file) => `Out of reach: ${file}, the database before an upgrade. Delete it once you will not go back.`,
    ),
    ...movedAside.map(
      (dir) => `Out of reach: ${dir}, which a restore moved aside. Delete it once you need it no longer.`,
    ),
  ]
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}

const notVerified = ({ unreadable }: ErasureReceipt): string =>
  unreadable === 0
    ? 'Not verified: something kept the database busy, and its free bytes may still hold the address. Run it again.'
    : `Not verified: ${plural(unreadable, 'record')} cannot be read, and may be this person's. \`capture doctor\` says more; once a sound backup is restored, erase again.`

/** An address that nothing names is no failure: it was misspelled, or erased before. */
function erasedText(handle: string, receipt: ErasureReceipt): string {
  if (isAnythingGone(receipt)) return `Erased from ${handle}: ${countsText(receipt)}.`
  const named = receipt.mentions === 0 ? ', and no record names it' : ''
  return `Erased from ${handle}: nothing. Nobody is known by that address${named}.`
}

const isAnythingGone = ({ submissions, events, pageViews, clicks, devices }: ErasureCounts): boolean =>
  submissions + events + pageViews + clicks + devices > 0

function mentionText({ mentions, mentionedIn }: Pick<ErasureReceipt, 'mentions' | 'mentionedIn'>): string[] {
  if (mentions === 0) return []
  const which = mentions > mentionedIn.length ? `of which the first ${count(mentionedIn.length)} are ` : ''
  return [
    `Left alone, since they are other persons', but they name the address: ${plural(mentions, 'record')}, ${which}${mentionedIn.join(', ')}.`,
  ]
}

const countsText = ({ submissions, events, pageViews, clicks, devices }: ErasureCounts): string =>
  `${plural(submissions, 'submission')}, ${plural(events, 'event')}, ${plural(pageViews, 'page view')}, ${plural(clicks, 'click')} and ${plural(devices, 'device')}`
