import { age, plural, timestamp } from '../../lib/quantities.ts'
import type {
  ErasedAgain,
  RecordCounts,
  UndoneRemovals,
  UnrestoredRecords,
} from '../../operations/backup/backup-ports.ts'
import type { RestoredBox } from '../../operations/backup/restore.ts'

/** The result in sentences: what was restored and how old it is, what was moved aside, and what to do. */
export function restoredText(restored: RestoredBox, now: number): string[] {
  return [
    broughtBack(restored, now),
    ...movedAside(restored),
    ...missing(restored),
    ...damaged(restored),
    ...compared(restored),
    ...erasures(restored),
  ]
}

function broughtBack({ accounts, assets, createdAt, dataDir, records }: RestoredBox, now: number): string {
  const at = Date.parse(createdAt)
  const written = Number.isNaN(at) ? createdAt : `${timestamp(at)}, ${age(now - at)} old,`
  const contents = [plural(accounts, 'account'), recordsText(records), plural(assets, 'published content')]
  return `Restored ${listed(contents)} of ${written} into ${dataDir}.`
}

const movedAside = ({ movedAside }: RestoredBox): string[] =>
  movedAside === null ? [] : [`What was there before is in ${movedAside}; remove it when you no longer need it.`]

function missing({ missingAssets, from }: RestoredBox): string[] {
  if (missingAssets === 0) return []
  return [
    `${plural(missingAssets, 'published content')} ${whyMissing[from]}. \`capture doctor\` names them; \`capture apply DIR\` of the site folder that has them stores them again.`,
  ]
}

const whyMissing: Record<RestoredBox['from'], string> = {
  backup: 'were missing or damaged on the box when it was backed up, and are missing now',
  target: 'were not at the target: the box had lost them, or had not sent them yet',
  snapshot: 'that the snapshot names are missing or damaged in the folder that was there',
}

function damaged({ damagedAssets }: RestoredBox): string[] {
  if (damagedAssets.length === 0) return []
  return [
    `Damaged on the box when it was backed up, and not in the backup: SHA-256 ${damagedAssets.join(', ')}. \`capture apply DIR\` of the site folder that has them stores them again.`,
  ]
}

/** A target is a backup too. */
const kindOf = ({ from }: RestoredBox): string => (from === 'snapshot' ? 'snapshot' : 'backup')

function compared(restored: RestoredBox): string[] {
  const { notCompared, leftBehind, undone, comparedWith, movedAside } = restored
  const from = kindOf(restored)
  if (leftBehind === null || undone === null)
    return [`Later records than the ${from} cannot be counted: ${notCompared}.`]
  const folder = comparedWith === movedAside ? 'that folder' : String(comparedWith)
  return [
    leftBehindText(leftBehind, { from, folder }),
    ...removalsText(undone, from),
    ...releasesText(undone, from),
    ...refusalsText(undone, from),
  ]
}

function leftBehindText(leftBehind: UnrestoredRecords, { from, folder }: { from: string; folder: string }): string {
  const { accounts } = leftBehind
  const newer = countedRecords(leftBehind)
  if (accounts.length > 0) newer.push(`${plural(accounts.length, 'account')} (${namesOf(accounts)})`)
  if (newer.length === 0) return `The ${from} has every record of ${folder}.`
  return `Only in ${folder} and not in the ${from}: ${listed(newer)}.`
}

/** How many records of each kind there are. */
export function recordsText(records: RecordCounts): string {
  const counted = countedRecords(records)
  return counted.length === 0 ? 'no records' : listed(counted)
}

function countedRecords({ submissions, events, pageViews, clicks, others }: RecordCounts): string[] {
  const parts = [
    [submissions, 'submission'],
    [events, 'event'],
    [pageViews, 'page view'],
    [clicks, 'click'],
    [others, 'record of a newer kind', 'records of newer kinds'],
  ] as const
  return parts.filter(([count]) => count > 0).map(([count, one, many]) => plural(count, one, many))
}

function erasures(restored: RestoredBox): string[] {
  const { erasedAgain, erasuresUnknown } = restored
  const from = kindOf(restored)
  const again = erasedAgain === null ? [] : erasedAgainText(erasedAgain, from)
  if (erasuresUnknown === null) return again
  const [which, not] = erasedAgain === null ? ['Erasures', 'not '] : ['Not all erasures', '']
  return [
    ...again,
    `${which} after the ${from} could ${not}be repeated, because ${erasuresUnknown}: people who were erased since are back; erase them again with capture person erase ACCOUNT EMAIL --yes`,
  ]
}

function erasedAgainText({ erasures, records, verified, notDerived }: ErasedAgain, from: string): string[] {
  if (erasures === 0) return [`No erasure came after the ${from}.`]
  const repeated = `${plural(erasures, 'erasure')} came after the ${from} and ${erasures === 1 ? 'was' : 'were'} repeated`
  const taken =
    records === 0 ? `the ${from} had none of the erased records` : `${plural(records, 'record')} erased again`
  return [
    `${repeated}: ${taken}.`,
    ...(verified
      ? []
      : ['Something of the erased persons may be left in records that cannot be read; `capture doctor` counts those.']),
    ...(notDerived === 0
      ? []
      : [
          `${plural(notDerived, 'device')} of other people could not be derived again without the erased records; \`capture doctor\` says what to do.`,
        ]),
  ]
}

function removalsText({ removedAccounts }: UndoneRemovals, from: string): string[] {
  if (removedAccounts.length === 0) return []
  const [first] = removedAccounts
  return [
    `${plural(removedAccounts.length, 'account')} removed after the ${from} ${removedAccounts.length === 1 ? 'is' : 'are'} back: ${namesOf(removedAccounts)}. To remove them again: capture account remove ${first} --yes`,
  ]
}

function releasesText({ releases }: UndoneRemovals, from: string): string[] {
  const [first] = releases
  if (first === undefined) return []
  const released = `${plural(releases.length, 'submission')} released after the ${from} ${releases.length === 1 ? 'is' : 'are'} refused again`
  const ids = namesOf(releases.map(({ submissionId }) => submissionId))
  return [
    `${released}: ${ids}. Release again what is to count: capture submission release ${first.account} ${first.submissionId}`,
  ]
}

function refusalsText({ refusals }: UndoneRemovals, from: string): string[] {
  const [first] = refusals
  if (first === undefined) return []
  const refused = `${plural(refusals.length, 'submission')} that an operator refused after the ${from} ${refusals.length === 1 ? 'counts' : 'count'} again`
  const ids = namesOf(refusals.map(({ submissionId }) => submissionId))
  return [
    `${refused}: ${ids}. Refuse again what is not to count: capture submission refuse ${first.account} ${first.submissionId}`,
  ]
}

/** Limits the names in a line; `--json` has all. */
const namesShown = 10

const namesOf = (names: string[]): string =>
  names.slice(0, namesShown).join(', ') + (names.length > namesShown ? ', …' : '')

const listed = (parts: string[]): string =>
  parts.length === 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
