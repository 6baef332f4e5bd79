import type { StoredAccount } from '../account/account.ts'
import type { RemovalCounts } from '../account/account-store.ts'
import type { Publishing } from '../site/apply.ts'
import { accountNamed } from './account-named.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { printable } from './output/printable.ts'
import { plural } from './output/quantities.ts'

export const accountRemove = defineCommand({
  name: 'account remove',
  summary: 'Removes an account with everything it holds',
  details: `Without --yes it only prints what would go, and ends with exit status 2. What is gone comes back from a backup alone.
--json prints { "account", "removed": true|false, "domains", "pages", "images", "files", "forms", "records" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { yes: { summary: 'remove it' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { withBox } = await import('./with-box.ts')
    return withBox(session, async (box, config) => {
      const account = await accountNamed(box.accounts, args.account)
      const counts = await box.accounts.countsOf(account.id)
      const { domains } = account.settings
      const publishing = { ...box, clock: session.clock, previewHost: config.server.previewHost }
      if (options.yes) await remove(account, publishing)
      const result = { account: account.handle, removed: options.yes, domains, ...counts }
      await session.out.write(json ? toJson(result) : asText(result))
      if (options.yes) return 0
      session.err.write('Nothing was removed: add --yes to remove it.\n')
      return 2
    })
  },
})

/** While nobody publishes, so that no bytes are collected that a publish has just stored. */
async function remove(account: StoredAccount, publishing: Publishing): Promise<void> {
  const { collectUnreferenced } = await import('../site/apply.ts')
  await publishing.sites.exclusively(`capture account remove ${account.handle}`, async () => {
    await publishing.accounts.remove(account.id)
    // The bytes that only it had published go too.
    await collectUnreferenced(publishing)
  })
}

interface Removal extends RemovalCounts {
  account: string
  removed: boolean
  domains: string[]
}

function asText({ account, removed, domains, pages, images, files, forms, records }: Removal): string {
  const parts = [
    plural(pages, 'page'),
    plural(images, 'image'),
    plural(files, 'file'),
    plural(forms, 'form'),
    plural(records, 'record'),
    `the domains ${domains.join(', ')}`,
  ]
  const what = `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
  return printable(removed ? `Removed ${account}, and with it ${what}.` : `With ${account} would go ${what}.`) + '\n'
}
