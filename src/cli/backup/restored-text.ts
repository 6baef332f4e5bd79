import { plural, timestamp } from '../../lib/quantities.ts'
import type { RestoredBox } from '../../operations/backup/restore.ts'
import type { UndoneRemovals, UnrestoredRecords } from '../../operations/backup/restore-ports.ts'
import { printable } from '../output/printable.ts'

/** The result in words: what was restored, what was moved aside, and what to do. */
export function restoredText(restored: RestoredBox): string {
  const lines = [
    broughtBack(restored),
    ...movedAside(restored),
    ...missing(restored),
    ...damaged(restored),
    ...compared(restored),
  ]
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}

function broughtBack({ accounts, assets, createdAt, dataDir }: RestoredBox): string {
  const written = Number.isNaN(Date.parse(createdAt)) ? createdAt : timestamp(Date.parse(createdAt))
  return `Restored ${plural(accounts, 'account')} and ${plural(assets, 'published content')} of ${written} into ${dataDir}.`
}

const movedAside = ({ movedAside }: RestoredBox): string[] =>
  movedAside === null ? [] : [`What was there before is in ${movedAside}; remove it when you no longer need it.`]

function missing({ missingAssets, from }: RestoredBox): string[] {
  if (missingAssets === 0) return []
  const contents = plural(missingAssets, 'published content')
  return [
    from === 'backup'
      ? `${contents} were missing or damaged on the box when it was backed up, and are missing now.`
      : `${contents} that the snapshot names are missing or damaged in the folder that was there. \`capture doctor\` names them; \`capture apply DIR\` of the site folder that has them stores them again.`,
  ]
}

function damaged({ damagedAssets }: RestoredBox): string[] {
  if (damagedAssets.length === 0) return []
  return [
    `Damaged on the box when it was backed up, and not in the backup: SHA-256 ${damagedAssets.join(', ')}. \`capture apply DIR\` of the site folder that has them stores them again.`,
  ]
}

function compared({ notCompared, leftBehind, undone, from, comparedWith, movedAside }: RestoredBox): string[] {
  if (leftBehind === null || undone === null) {
    return [
      `Later records than the ${from} cannot be counted: ${notCompared}. People who were erased since are back: erase them again.`,
    ]
  }
  const folder = comparedWith === movedAside ? 'that folder' : String(comparedWith)
  return [
    leftBehindText(leftBehind, { from, folder }),
    ...erasuresText(undone, from),
    ...removalsText(undone, from),
    ...releasesText(undone, from),
  ]
}

function leftBehindText(leftBehind: UnrestoredRecords, { from, folder }: { from: string; folder: string }): string {
  const { submissions, events, pageViews, clicks, others, accounts } = leftBehind
  const parts = [
    [submissions, 'submission'],
    [events, 'event'],
    [pageViews, 'page view'],
    [clicks, 'click'],
    [others, 'record of a newer kind', 'records of newer kinds'],
  ] as const
  const newer = parts.filter(([count]) => count > 0).map(([count, one, many]) => plural(count, one, many))
  if (accounts.length > 0) newer.push(`${plural(accounts.length, 'account')} (${namesOf(accounts)})`)
  if (newer.length === 0) return `The ${from} has every record of ${folder}.`
  return `Only in ${folder} and not in the ${from}: ${listed(newer)}.`
}

function erasuresText({ erasures, erasedRecords }: UndoneRemovals, from: RestoredBox['from']): string[] {
  if (erasures === 0) return [`No erasure came after the ${from}.`]
  if (erasures === null) {
    return [
      `The version that wrote the folder kept no log of erasures: people who were erased after the ${from} are back. Erase them again.`,
    ]
  }
  const back =
    erasedRecords === 0
      ? 'None of the erased records is back'
      : `${plural(erasedRecords, 'record')} of theirs ${erasedRecords === 1 ? 'is' : 'are'} back`
  return [
    `${plural(erasures, 'erasure')} came after the ${from}. ${back}; erase these persons again: capture person erase ACCOUNT EMAIL --yes`,
  ]
}

function removalsText({ removedAccounts }: UndoneRemovals, from: RestoredBox['from']): string[] {
  if (removedAccounts.length === 0) return []
  const [first] = removedAccounts
  return [
    `${plural(removedAccounts.length, 'account')} removed after the ${from} ${removedAccounts.length === 1 ? 'is' : 'are'} back: ${namesOf(removedAccounts)}. To remove them again: capture account remove ${first} --yes`,
  ]
}

function releasesText({ releases }: UndoneRemovals, from: RestoredBox['from']): string[] {
  const [first] = releases
  if (first === undefined) return []
  const released = `${plural(releases.length, 'submission')} released after the ${from} ${releases.length === 1 ? 'is' : 'are'} refused again`
  const ids = namesOf(releases.map(({ submissionId }) => submissionId))
  return [
    `${released}: ${ids}. Release again what is to count: capture submission release ${first.account} ${first.submissionId}`,
  ]
}

/** Limits the names in a line; `--json` has all. */
const namesShown = 10

const namesOf = (names: string[]): string =>
  names.slice(0, namesShown).join(', ') + (names.length > namesShown ? ', …' : '')

const listed = (parts: string[]): string =>
  parts.length === 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
