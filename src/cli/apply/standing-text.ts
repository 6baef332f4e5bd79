import type { ApplyWatch } from '../../operations/apply/apply-folder.ts'

export type Publication = Parameters<ApplyWatch['onPublished']>[0]

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
