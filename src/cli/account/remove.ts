import { plural } from '../../lib/quantities.ts'
import type { AccountContents, RemovedAccount } from '../../operations/account/remove-account.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { warnOfUncollected } from '../output/uncollected.ts'

export const accountRemove = defineCommand({
  name: 'account remove',
  summary: 'Removes an account with everything it holds',
  details: `Without --yes it only prints what it would delete, and exits with status 2. Only a backup brings deleted data back.
Interrupted, it is finished by running it again.
--json prints { "account", "removed": true|false, "domains", "pages", "images", "files", "forms", "records" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { yes: { summary: 'remove it' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { accountContents, removeAccount } = await import('../../operations/account/remove-account.ts')
    const { removedAccountJson } = await import('../../operations/account/account-json.ts')
    if (options.yes) {
      const { uncollected, ...removed } = await withBox(session, (box) => removeAccount(box, args.account), {
        action: 'account.remove',
        account: args.account,
        subject: args.account,
      })
      warnOfUncollected(uncollected, session.err)
      await session.out.write(json ? toJson(removedAccountJson(removed, true)) : removedText(removed))
      return 0
    }
    const contents = await withBox(session, (box) => accountContents(box, args.account))
    await session.out.write(
      json
        ? toJson(removedAccountJson(contents, false))
        : `${printable(`With ${contents.account} would go ${listed(contents)}.`)}\n`,
    )
    session.err.write('Nothing was removed: add --yes to remove it.\n')
    return 2
  },
})

function removedText(removed: Omit<RemovedAccount, 'uncollected'>): string {
  const { account, isFinished } = removed
  const text = isFinished
    ? `There is no account "${account}"; the leftovers of an interrupted removal have been deleted.`
    : `Removed ${account}, and with it ${listed(removed)}.`
  return `${printable(text)}\n`
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
