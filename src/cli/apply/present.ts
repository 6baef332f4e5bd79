import { timestamp } from '../../lib/quantities.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import type { ShorterTerms } from '../../operations/apply/shorter-terms.ts'
import { classWords, clockDoubt, countsText } from '../../operations/retention/retention-words.ts'
import { allOf } from '../../processing/retention.ts'
import type { LeftBehind } from '../../site/plan.ts'
import type { CommandResult } from '../command.ts'
import { takenOverLine } from '../domain/domain-text.ts'
import { printable } from '../output/text.ts'
import { uncollectedWarning } from '../output/uncollected.ts'
import { dnsText } from './dns-text.ts'
import { appliedText } from './result-text.ts'

interface Asked {
  dir: string
  dryRun: boolean
}

/** The result, and what stands beside it. @param json as `--json` prints it */
export function applyResult(applied: AppliedFolder, json: unknown, asked: Asked): CommandResult {
  const { shorterTerms, dns, newDomains, takenOver, left, notAllowed, boxWarnings, uncollected } = applied
  const announced = shorterTerms === null ? '' : shorterTermsText(shorterTerms, asked.dryRun)
  return {
    json,
    text: () => appliedText(applied, asked.dryRun) + newDomainsText(newDomains) + dnsText(dns) + announced,
    notes: [
      // An apply says so before it begins.
      ...(asked.dryRun ? replacedLines(applied.replaced, asked) : []),
      ...takenOver.map((domain) => takenOverLine(domain, applied.account)),
      ...(notAllowed === null ? [] : [notAllowed]),
      ...boxWarnings.map((warning) => `warning: ${warning}`),
      ...(left.length > 0 ? leftLines(left, asked) : []),
      ...uncollectedWarning(uncollected),
    ],
  }
}

/** Lines are never wrapped, so that records can be copied. */
const newDomainsText = (newDomains: AppliedFolder['newDomains']): string =>
  newDomains.length === 0 ? '' : `\nNew domains:\n${newDomains.map(({ note }) => `  ${printable(note)}\n`).join('')}`

/** Enough to recognise a rename; `--prune --dry-run` lists them all. */
const leftShown = 10

/** Names content that is still on the box but not in the folder, and how to remove it. */
function leftLines(left: LeftBehind[], { dir, dryRun }: Asked): string[] {
  const command = `capture apply ${dir} --prune${dryRun ? ' --dry-run' : ''}`
  const removes = left.length === 1 ? 'removes it' : 'removes them'
  return [
    'Still on the box, but no longer in the folder:',
    ...left.slice(0, leftShown).map(({ kind, name, state }) => `  ${kind} ${name} (${state})`),
    ...moreLine(left, leftShown),
    `\`${command}\` ${dryRun ? 'shows what else it removes' : removes}.`,
  ]
}

/** Limits the lines; `--json` has them all. */
const replacedShown = 10

/** Names what was changed on the box since the last apply and is replaced by this one. */
export function replacedLines(replaced: AppliedFolder['replaced'], { dryRun }: Pick<Asked, 'dryRun'>): string[] {
  if (replaced.length === 0) return []
  return [
    `Changed on the box since the last apply, and ${dryRun ? 'would be' : 'is'} replaced by the folder's:`,
    ...replaced
      .slice(0, replacedShown)
      .map(({ subject, at, by }) => `  ${subject}, on ${timestamp(at)} by ${by.name} (${by.via})`),
    ...moreLine(replaced, replacedShown),
  ]
}

const moreLine = ({ length }: readonly unknown[], shownMax: number): string[] =>
  length > shownMax ? [`  … and ${length - shownMax} more`] : []

function shorterTermsText({ classes, due, nextDueAt, clock }: ShorterTerms, dryRun: boolean): string {
  const dueText = countsText(due)
  const doubt = clock.isBelieved ? [] : Object.values(clockDoubt(clock))
  const lines = [...(dueText === null ? [] : [goingText(dueText, allOf(due), dryRun)])]
  for (const name of classes) if (due[name] === 0) lines.push(laterText(classWords[name], nextDueAt[name]))
  return [...lines, ...doubt].map((line) => `retention: ${line}\n`).join('')
}

function goingText(dueText: string, records: number, dryRun: boolean): string {
  const when = 'within an hour, another when it starts'
  if (dryRun) return `${dueText} would be due: a running \`serve\` would delete them ${when}.`
  const are = records === 1 ? 'is' : 'are'
  return `${dueText} ${are} due: a running \`serve\` deletes them ${when}. To keep them, apply a longer [retention] before.`
}

const laterText = (words: string, at: number | null): string =>
  at === null ? `there are no ${words} that could be due.` : `no ${words} are due before ${timestamp(at)}.`
