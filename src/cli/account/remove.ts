import { plural } from '../../lib/quantities.ts'
import type { AccountContents } from '../../operations/account/remove-account.ts'
import { defineCommand } from '../command.ts'
import { uncollectedWarning } from '../output/uncollected.ts'

export const accountRemove = defineCommand({
  name: 'account remove',
  summary: 'Removes an account with everything it holds',
  details: `Without --yes it only prints what it would delete, and exits with status 2. Only a backup brings deleted data back.
If it is interrupted, run it again to finish.
--json prints { "account", "removed": true|false, "domains", "pages", "images", "files", "forms", "records" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { yes: { summary: 'remove it' } },
  async run({ args, options }, session) {
    const { accountContents, removeAccount, removedAccountJson } = await import(
      '../../operations/account/remove-account.ts'
    )
    if (options.yes) {
      const { answer, isFinished, uncollected } = await session.act(removeAccount, args)
      const text = isFinished
        ? `There is no account "${answer.account}"; the leftovers of an interrupted removal have been deleted.`
        : `Removed ${answer.account}, and with it ${listed(answer)}.`
      return { json: answer, text, notes: uncollectedWarning(uncollected) }
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
