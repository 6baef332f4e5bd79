import type { LeftBehind } from '../site/plan.ts'
import { printable } from './output/printable.ts'

/** As many as help to recognise a rename; `--prune --dry-run` lists them all. */
const leftShown = 10

/** Names what is still on the box though the folder does not hold it, with the way to remove it. */
export function leftText(left: LeftBehind[], { dir, dryRun }: { dir: string; dryRun: boolean }): string {
  const names = left.slice(0, leftShown).map(({ kind, name, state }) => `  ${kind} ${name} (${state})`)
  const more = left.length > leftShown ? [`  … and ${left.length - leftShown} more`] : []
  const command = `capture apply ${dir} --prune${dryRun ? ' --dry-run' : ''}`
  const removes = left.length === 1 ? 'removes it' : 'removes them'
  const lines = [
    'Still on the box, though the folder does not hold it:',
    ...names,
    ...more,
    `\`${command}\` ${dryRun ? 'shows what else it removes' : removes}.`,
  ]
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}

export const interruptedText = (isPublished: boolean): string =>
  isPublished
    ? 'Interrupted, but the folder is published: visitors see it. The next apply tidies up what was left over.\n'
    : 'Interrupted: nothing has changed. Visitors see what they saw before; run apply again to publish.\n'
