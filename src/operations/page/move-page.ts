import { Type } from '@sinclair/typebox'
import type { Publisher } from '../../account/publisher.ts'
import type { AssetState } from '../../asset/asset.ts'
import { flag, oneOf, text } from '../../lib/schema.ts'
import { publishByHand } from '../../site/publish-by-hand.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { pageAddresses } from './page-address.ts'
import { assertPageKnown } from './page-revision.ts'

/** By its slug or short id. */
export const pageWanted = Type.Object({ slug: text })
export const pageState = oneOf(['live', 'preview'])

/** What publishing and rolling back work with. */
export type PublishingBox = Pick<
  Box,
  'accounts' | 'catalogue' | 'sites' | 'assets' | 'signingKeys' | 'config' | 'clock'
>

/** `siteToml`: the lines of site.toml that keep the next apply from undoing this. */
const answer = Type.Object({
  account: text,
  slug: text,
  id: text,
  state: pageState,
  changed: flag,
  url: text,
  siteToml: text,
})

/** Publishes or unpublishes a page by hand: same bytes, other state. */
const moving = (name: string, text: string, state: AssetState) =>
  defineAct({
    name,
    text,
    of: 'account',
    scope: 'publish',
    input: pageWanted,
    answer,
    subject: ({ slug }) => slug,
    async run(box: PublishingBox, { account: handle, slug, known = null }, by: Publisher) {
      const account = await accountNamed(box.accounts, handle)
      const doing = `capture page ${state === 'live' ? 'publish' : 'unpublish'} ${account.handle}`
      return box.sites.exclusively(doing, async () => {
        const page = await assetNamed(box.catalogue, account, { kind: 'page', text: slug })
        assertPageKnown(page, known)
        const before = page.current.state
        const changed = before !== state
        if (changed) await publishByHand({ account, asset: page, version: { ...page.current, state }, by }, box)
        const addressOf = await pageAddresses(box, account)
        const url = addressOf(await assetNamed(box.catalogue, account, { kind: 'page', text: page.name }))
        const siteToml = `[[pages]]\nslug = "${page.name}"\nstate = "${state}"\n`
        return {
          answer: { account: account.handle, slug: page.name, id: page.id, state, changed, url, siteToml },
          change: { before: { state: before }, after: { state } },
        }
      })
    },
  })

export const publishPage = moving('page.publish', 'Publish a page that is in preview', 'live')

export const unpublishPage = moving('page.unpublish', 'Move a live page back to preview', 'preview')
