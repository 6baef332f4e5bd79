import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import type { Publisher } from '../../account/publisher.ts'
import { pageItself, type Split, type SplitVariant } from '../../account/split.ts'
import { isLiveAt } from '../../asset/asset.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { count, text } from '../../lib/schema.ts'
import { publishByHand } from '../../site/publish-by-hand.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import { assetNamed } from './asset-named.ts'
import { assertContent, type PublishingBox } from './page-acts.ts'
import { assertPageKnown, pageAddresses } from './pages.ts'

/** Gives a split page the content of a variant, and ends the split until the next apply (docs/splits.md). */
export const promotePage = defineAct({
  name: 'page.promote',
  text: 'Make a variant of a split page the page',
  of: 'account',
  scope: 'publish',
  input: Type.Object({ slug: text, variant: text }),
  /** `from`: the slug of the variant's page. `siteTomlToRemove`: the lines that keep the split alive in the folder. */
  answer: Type.Object({
    account: text,
    slug: text,
    id: text,
    variant: text,
    from: text,
    version: count,
    sha256: text,
    url: text,
    siteTomlToRemove: text,
  }),
  subject: ({ slug }) => slug,
  async run(box: PublishingBox, { account: handle, slug, variant: name, known = null }, by: Publisher) {
    return box.sites.exclusively(`capture page promote ${handle}`, async () => {
      // Read here: its settings are written again, and nobody else publishes now.
      const account = await accountNamed(box.accounts, handle)
      const pageOf = (text: string) => assetNamed(box.catalogue, account, { kind: 'page', text })
      const page = await pageOf(slug)
      await assertPageKnown(box, { account, page, known })
      const { split, variant } = wanted(account, page.name, name)
      const { current } = await pageOf(variant.page)
      if (!isLiveAt(current, box.clock.now())) throw new OperatorError(notLive(account.handle, variant))
      await assertContent(current, box)
      const { sha256, byteCount, variants } = current
      const splits = account.settings.splits.filter((other) => other !== split)
      const version = { ...page.current, sha256, byteCount, variants }
      await publishByHand({ account, asset: page, version, settings: { ...account.settings, splits }, by }, box)
      const now = await pageOf(page.name)
      const url = (await pageAddresses(box, account))(now)
      const shown = { account: account.handle, slug: page.name, id: page.id, variant: name, from: variant.page }
      const siteTomlToRemove = siteTomlOf(split)
      return {
        answer: { ...shown, version: now.current.number, sha256, url, siteTomlToRemove },
        change: { before: { splits: account.settings.splits.length }, after: { splits: splits.length, variant: name } },
      }
    })
  },
})

function wanted(
  { handle, settings }: StoredAccount,
  slug: string,
  name: string,
): { split: Split; variant: SplitVariant } {
  const split = settings.splits.find(({ page }) => page === slug)
  if (split === undefined)
    throw new OperatorError(`${slug} is not split. \`capture report ${handle}\` shows the versions of split pages.`)
  const variant = split.variants.find((variant) => variant.name === name)
  if (variant !== undefined) return { split, variant }
  if (name === pageItself)
    throw new OperatorError(
      `"${name}" is the page itself. To end the split, remove its [[splits]] from site.toml and apply.`,
    )
  const names = split.variants.map(({ name }) => name).join(', ')
  throw new NotThere(`${slug} has no variant "${name}". It has: ${names}.`)
}

const notLive = (handle: string, { name, page }: SplitVariant): string =>
  `Variant ${name} is not live, so visitors have not seen it. Publish its page first: \`capture page publish ${handle} ${page}\`.`

/** As `site.toml` writes it; names and slugs need no escapes. */
const siteTomlOf = ({ page, variants }: Split): string => {
  const tables = variants.map(({ name, page, share }) => `{ name = "${name}", page = "${page}", share = ${share} }`)
  return `[[splits]]\npage = "${page}"\nvariants = [${tables.join(', ')}]\n`
}
