import { accountRemoved } from '../../console/audit/changes.ts'
import { plural } from '../../lib/quantities.ts'
import type { AccountContents, RemovedAccount } from '../../operations/account/remove-account.ts'
import { defineCommand } from '../command.ts'
import { uncollectedWarning } from '../output/uncollected.ts'

export const accountRemove = defineCommand({
  name: 'account remove',
  summary: 'Removes an account with everything it holds',
  details: `Without --yes it only prints what it would delete, and exits with status 2. Only a backup brings deleted data back.
Interrupted, it is finished by running it again.
--json prints { "account", "removed": true|false, "domains", "pages", "images", "files", "forms", "records" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { yes: { summary: 'remove it' } },
  async run({ args, options }, session) {
    const { accountContents, removeAccount, removedAccountJson } = await import(
      '../../operations/account/remove-account.ts'
    )
    if (options.yes) {
      const { uncollected, ...removed } = await session.withBox((box) => removeAccount(box, args.account), {
        action: 'account.remove',
        account: args.account,
        subject: args.account,
        change: accountRemoved,
      })
      return {
        json: removedAccountJson(removed, true),
        text: removedText(removed),
        notes: uncollectedWarning(uncollected),
      }
    }
    const contents = await session.withBox((box) => accountContents(box, args.account))
    return {
      json: removedAccountJson(contents, false),
      text: `This would remove ${contents.account}, and with it ${listed(contents)}.`,
      notes: ['Nothing was removed: add --yes to remove it.'],
      exitStatus: 2,
    }
  },
})

function removedText(removed: Omit<RemovedAccount, 'uncollected'>): string {
  const { account, isFinished } = removed
  return isFinished
    ? `There is no account "${account}"; the leftovers of an interrupted removal have been deleted.`
    : `Removed ${account}, and with it ${listed(removed)}.`
}

function listed({ domains, pages, images, files, forms, records }: AccountContents): string {
  const parts = [
    plural(pages, 'page'),
    plural(images, 'image'),
    plural(files, 'file'),
    plural(forms, 'form'),
    plural(records, 'record'),
    `the domains ${domains.join(', ')}`,
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
