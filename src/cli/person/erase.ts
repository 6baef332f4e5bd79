import { identityEmail } from '../../ledger/identity-email.ts'
import { count, plural } from '../../lib/quantities.ts'
import type { PersonErasure } from '../../operations/person/erase-person.ts'
import type { ErasureCounts, ErasureReceipt } from '../../processing/erasure.ts'
import { defineCommand, usageError } from '../command.ts'

export const personErase = defineCommand({
  name: 'person erase',
  summary: 'Erases one person: their records, devices and everything made of them',
  details: `Without --yes it only prints what it would erase, and ends with exit status 2. Only a backup brings them back.
It works beside a running server; if it is interrupted, run it again to finish it. docs/privacy.md says what goes, what stays
and what an erasure cannot reach.
--json prints { "account", "erased": true|false, "submissions", "events", "pageViews", "clicks", "devices" }, and with
--yes "verified", "mentions" (how many records of other persons name the address), "mentionedIn" (their ids, of more
than 100 the first 100), "snapshots" and "movedAside"; "notDerived" counts devices that could not be derived again. "destinations" are those that
deliveries have told of them, where there are any. "erased" is false where nothing was held of the address.
  capture person erase acme ada@customer.example --yes`,
  args: { account: { summary: "the account's handle" }, email: { summary: "the person's e-mail address" } },
  options: { yes: { summary: 'erase them' } },
  async run({ args, options }, session) {
    const email = identityEmail(args.email)
    if (email === null) throw usageError(`"${args.email}" is not an e-mail address.`)
    const { erasable, erasePerson, erasureJson } = await import('../../operations/person/erase-person.ts')
    if (options.yes) {
      const { answer, receipt } = await session.act(erasePerson, { account: args.account, person: email })
      const exitStatus = receipt.verified && receipt.notDerived === 0 ? 0 : 1
      return { json: answer, text: sentences(receipt), exitStatus }
    }
    const { account, ...counts } = await session.withBox((box) => erasable(box, { account: args.account, email }))
    return {
      json: erasureJson({ account, erased: false, ...counts }),
      text: [`This would erase from ${account}: ${countsText(counts)}.`, ...destinationText(counts)],
      notes: ['Nothing was erased: add --yes to erase it.'],
      exitStatus: 2,
    }
  },
})

function sentences(receipt: PersonErasure): string[] {
  const { snapshots, movedAside } = receipt
  return [
    erasedText(receipt),
    receipt.verified
      ? 'Verified: the address is nowhere in the free bytes of the database and its write-ahead log.'
      : notVerified,
    ...notDerivedText(receipt),
    ...mentionText(receipt),
    ...destinationText(receipt),
    'Out of reach: earlier backups and exports. Delete those that contain this person, or erase again after a restore.',
    ...snapshots.map(
      (file) => `Out of reach: ${file}, the database before an upgrade. Delete it when you no longer need to go back.`,
    ),
    ...movedAside.map(
      (dir) => `Out of reach: ${dir}, which a restore moved aside. Delete it when you no longer need it.`,
    ),
  ]
}

const notVerified =
  'Not verified: free bytes of the database may still contain the address, as when another process keeps it busy. Run this again.'

const notDerivedText = ({ notDerived }: Pick<ErasureReceipt, 'notDerived'>): string[] =>
  notDerived === 0
    ? []
    : [
        `Not finished: ${plural(notDerived, 'device')} of other people could not be derived again without the erased records. Figures may still count these, and submissions may still say that they led there. Run this again once \`capture doctor\` finds no damage.`,
      ]

/** An unknown address is not a failure: it may be misspelt or already erased. */
function erasedText(receipt: PersonErasure): string {
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

const destinationText = ({ destinations }: Pick<PersonErasure, 'destinations'>): string[] =>
  destinations.length === 0
    ? []
    : [`Told of them by deliveries, and out of reach: ${destinations.join(', ')}. Have them erased there too.`]

const countsText = ({ submissions, events, pageViews, clicks, devices }: ErasureCounts): string =>
  `${plural(submissions, 'submission')}, ${plural(events, 'event')}, ${plural(pageViews, 'page view')}, ${plural(clicks, 'click')} and ${plural(devices, 'device')}`
