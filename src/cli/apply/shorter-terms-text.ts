import { timestamp } from '../../lib/quantities.ts'
import type { ShorterTerms } from '../../operations/apply/shorter-terms.ts'
import { classWords, clockDoubt, countsText } from '../../operations/retention/retention-words.ts'
import { allOf } from '../../processing/retention.ts'

export function shorterTermsText({ classes, due, nextDueAt, clock }: ShorterTerms, dryRun: boolean): string {
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
