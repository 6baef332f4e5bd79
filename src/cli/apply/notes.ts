import type { ApplyWatch } from '../../operations/apply/apply-folder.ts'
import type { LeftBehind } from '../../site/plan.ts'
import { printable } from '../output/printable.ts'

/** Enough to recognise a rename; `--prune --dry-run` lists them all. */
const leftShown = 10

/** Names content that is still on the box but not in the folder, and how to remove it. */
export function leftText(left: LeftBehind[], { dir, dryRun }: { dir: string; dryRun: boolean }): string {
  const names = left.slice(0, leftShown).map(({ kind, name, state }) => `  ${kind} ${name} (${state})`)
  const more = left.length > leftShown ? [`  … and ${left.length - leftShown} more`] : []
  const command = `capture apply ${dir} --prune${dryRun ? ' --dry-run' : ''}`
  const removes = left.length === 1 ? 'removes it' : 'removes them'
  const lines = [
    'Still on the box, but no longer in the folder:',
    ...names,
    ...more,
    `\`${command}\` ${dryRun ? 'shows what else it removes' : removes}.`,
  ]
  return `${lines.map((line) => printable(line)).join('\n')}\n`
}

type Publication = Parameters<ApplyWatch['onPublished']>[0]

/** The state after an interrupted apply. `null`: nothing was published. */
export function standingText(published: Publication | null): string {
  if (published === null) return 'nothing has changed. Visitors see what they saw before; run apply again to publish.\n'
  const { account, hasNewKey, newSecrets } = published
  const key = hasNewKey
    ? ` The account's tracking key was not shown: \`capture key rotate ${account}\` makes another.`
    : ''
  const secrets = newSecrets.map(
    (name) =>
      ` The secret of the delivery "${name}" was not shown: \`capture delivery secret rotate ${account} ${name}\` makes another.`,
  )
  return `the folder is published, and visitors see it.${key}${secrets.join('')} The next apply cleans up the leftovers.\n`
}
