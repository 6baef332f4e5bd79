import type { StoredAccount } from '../account/account.ts'
import type { RemovalCounts } from '../account/account-store.ts'
import type { Publishing } from '../site/apply.ts'
import { accountNamed } from './account-named.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { printable } from './output/printable.ts'
import { plural } from './output/quantities.ts'
import type { MessageStream } from './output/streams.ts'
import { sayUncollected } from './uncollected.ts'

export const accountRemove = defineCommand({
  name: 'account remove',
  summary: 'Removes an account with everything it holds',
  details: `Without --yes it only prints what would go, and ends with exit status 2. What is gone comes back from a backup alone.
Interrupted, it is finished by running it again.
--json prints { "account", "removed": true|false, "domains", "pages", "images", "files", "forms", "records" }.`,
  args: { account: { summary: "the account's handle" } },
  options: { yes: { summary: 'remove it' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { withBox } = await import('./with-box.ts')
    return withBox(session, async (box, config) => {
      const publishing = { ...box, clock: session.clock, previewHost: config.server.previewHost }
      const found = await box.accounts.find(args.account)
      if (found === null && options.yes && (await finishRemovals(publishing, session.err)) > 0) {
        await session.out.write(
          json ? toJson({ account: args.account, removed: true, ...nothing }) : finishedText(args.account),
        )
        return 0
      }
      const { id, handle, settings } = found ?? (await accountNamed(box.accounts, args.account))
      const counts = await box.accounts.countsOf(id)
      if (options.yes) await remove({ id, handle }, publishing, session.err)
      const result = { account: handle, removed: options.yes, domains: settings.domains, ...counts }
      await session.out.write(json ? toJson(result) : asText(result))
      if (options.yes) return 0
      session.err.write('Nothing was removed: add --yes to remove it.\n')
      return 2
    })
  },
})

/** A running server has noticed by then (contract section 1: within one second), and has written what it still held. */
const noticedMs = 1500

/** While nobody publishes, so that no bytes are collected that a publish has just stored. */
async function remove(
  { id, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  publishing: Publishing,
  err: MessageStream,
): Promise<void> {
  const { collect } = await import('../site/collect.ts')
  await publishing.sites.exclusively(`capture account remove ${handle}`, async () => {
    await publishing.accounts.remove(id)
    await Bun.sleep(noticedMs)
    // What the server stored for it meanwhile, and the bytes that only it had published.
    await publishing.accounts.finishRemovals()
    sayUncollected(await collect(publishing), err)
  })
}

/** The removal of an account that is no longer found by its handle was interrupted: this ends it. */
async function finishRemovals(publishing: Publishing, err: MessageStream): Promise<number> {
  const { collect } = await import('../site/collect.ts')
  return publishing.sites.exclusively('capture account remove', async () => {
    const finished = await publishing.accounts.finishRemovals()
    if (finished > 0) sayUncollected(await collect(publishing), err)
    return finished
  })
}

const nothing = { domains: [], pages: 0, images: 0, files: 0, forms: 0, records: 0 }

const finishedText = (handle: string): string =>
  printable(`There is no account "${handle}"; what an interrupted removal had left is gone now.`) + '\n'

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
