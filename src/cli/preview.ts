import type { AssetKind } from '../asset/asset.ts'
import { accountNamed } from './account-named.ts'
import { assetNamed } from './asset-named.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'
import { typedDuration } from './typed-time.ts'

const kinds = { page: 'page', img: 'image', file: 'file' } as const satisfies Record<string, AssetKind>
/** Whoever holds the address can look: a year is long enough for any review. */
const ttlMsMax = 366 * 86_400_000

export const preview = defineCommand({
  name: 'preview',
  summary: 'Prints a signed preview address that anybody can open until it expires',
  details: `Works for what is live too. Rotating the preview key (\`capture secret rotate preview\`) ends every address at once.
--json prints { "account", "kind", "id", "name", "url", "expiresAt" }.`,
  args: {
    account: { summary: "the account's handle" },
    what: { summary: 'what to show', choices: ['page', 'img', 'file'] },
    id: { summary: 'its short id, or the slug or path' },
  },
  options: { ttl: { value: 'AGE', summary: 'how long the address works (default: 1h)' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const ttlMs = typedDuration('--ttl', options.ttl, ttlMsMax)
    const { withBox } = await import('./with-box.ts')
    const { previewAddresses } = await import('./preview-address.ts')
    const result = await withBox(session, async (box, config) => {
      const account = await accountNamed(box.accounts, args.account)
      const asset = await assetNamed(box.catalogue, account, { kind: kinds[args.what], text: args.id })
      const signing = { accountId: account.id, config, clock: session.clock, signingKeys: box.signingKeys }
      const addresses = await previewAddresses({ ...signing, ...(ttlMs === null ? {} : { ttlMs }) })
      const expiresAt = new Date(addresses.expiresAt).toISOString()
      const { id, name } = asset
      return { account: account.handle, kind: args.what, id, name, url: addresses.of(asset), expiresAt }
    })
    await session.out.write(json ? toJson(result) : `${result.url}\n`)
    return 0
  },
})
