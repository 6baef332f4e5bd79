import { timestamp } from '../../lib/quantities.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import { printable } from '../output/printable.ts'

/** Limits the lines; `--json` has them all. */
const shownMax = 10

/** Names what was changed on the box since the last apply and is replaced by this one. */
export function replacedText(replaced: AppliedFolder['replaced'], dryRun: boolean): string {
  const lines = replaced
    .slice(0, shownMax)
    .map(({ subject, at, by }) => `  ${subject}, on ${timestamp(at)} by ${by.name} (${by.via})`)
  const more = replaced.length > shownMax ? [`  … and ${replaced.length - shownMax} more`] : []
  const title = `Changed on the box since the last apply, and ${dryRun ? 'would be' : 'is'} replaced by the folder's:`
  return `${[title, ...lines, ...more].map((line) => printable(line)).join('\n')}\n`
}
