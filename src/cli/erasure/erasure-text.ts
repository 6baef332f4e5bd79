import { count, plural } from '../../lib/quantities.ts'
import { type ErasureDone, notYetOnText } from '../../operations/erasure/erase.ts'
import type { ErasureCounts, ErasureReceipt } from '../../processing/erasure.ts'
import type { CommandResult } from '../command.ts'

/** The result of a command that has erased something. */
export const erasureResult = (receipt: ErasureDone, json: unknown): CommandResult => ({
  json,
  text: erasureText(receipt),
  exitStatus: receipt.verified && receipt.notDerived === 0 ? 0 : 1,
})

/** The result of a command that only says what it would erase. */
export const erasableResult = (
  { account, ...counts }: ErasureCounts & Pick<ErasureDone, 'account' | 'destinations'>,
  json: unknown,
): CommandResult => ({
  json,
  text: [`This would erase from ${account}: ${countsText(counts)}.`, ...destinationText(counts)],
  notes: ['Nothing was erased: add --yes to erase it.'],
  exitStatus: 2,
})

/** What went, what stays, and what is out of reach. */
function erasureText(receipt: ErasureDone): string[] {
  const { snapshots, movedAside } = receipt
  const onNodes = notYetOnText(receipt)
  return [
    erasedText(receipt),
    receipt.verified
      ? 'Verified: the address is nowhere in the free bytes of the database and its write-ahead log.'
      : notVerified,
    ...notDerivedText(receipt),
    ...(onNodes === null ? [] : [onNodes]),
    ...mentionText(receipt),
    ...destinationText(receipt),
    'Out of reach: earlier backups and exports. Delete those that contain this person, or erase again after a restore.',
    ...snapshots.map(
      (file) => `Out of reach: ${file}, the database before an upgrade. Delete it when you no longer need to go back.`,
    ),
    ...movedAside.map((dir) => `Out of reach: ${dir}, which was moved aside. Delete it when you no longer need it.`),
  ]
}

const notVerified =
  'Not verified: free bytes of the database may still contain the address or a phone number, as when another process keeps it busy. Run this again.'

const notDerivedText = ({ notDerived }: Pick<ErasureReceipt, 'notDerived'>): string[] =>
  notDerived === 0
    ? []
    : [
        `Not finished: ${plural(notDerived, 'device')} of other people could not be derived again without the erased records. Figures may still count these, and submissions may still say that they led there. Run this again once \`capture doctor\` finds no damage.`,
      ]

/** An unknown address is not a failure: it may be misspelt or already erased. */
function erasedText(receipt: ErasureDone): string {
  const { account: handle, erased } = receipt
  if (erased) return `Erased from ${handle}: ${countsText(receipt)}.`
  const named = receipt.mentions === 0 ? ', and no record mentions it' : ''
  return `Erased from ${handle}: nothing. Nobody is known by that address${named}.`
}

function mentionText({ mentions, mentionedIn }: Pick<ErasureReceipt, 'mentions' | 'mentionedIn'>): string[] {
  if (mentions === 0) return []
  const which = mentions > mentionedIn.length ? `, of which the first ${count(mentionedIn.length)} are ` : ': '
  return [
    `Kept: ${plural(mentions, 'record')} of other people that mention this address${which}${mentionedIn.join(', ')}.`,
  ]
}

const destinationText = ({ destinations }: Pick<ErasureDone, 'destinations'>): string[] =>
  destinations.length === 0
    ? []
    : [`Told of them by deliveries, and out of reach: ${destinations.join(', ')}. Have them erased there too.`]

const countsText = ({ submissions, events, pageViews, clicks, devices }: ErasureCounts): string =>
  `${plural(submissions, 'submission')}, ${plural(events, 'event')}, ${plural(pageViews, 'page view')}, ${plural(clicks, 'click')} and ${plural(devices, 'device')}`
