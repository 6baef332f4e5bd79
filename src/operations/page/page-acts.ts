import { Type } from '@sinclair/typebox'
import type { Publisher } from '../../account/publisher.ts'
import { type Asset, type AssetState, type AssetVersion, isLiveAt, type LiveTimes } from '../../asset/asset.ts'
import { isSound } from '../../asset/sound-bytes.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { count, flag, oneOf, orNull, text } from '../../lib/schema.ts'
import { publishByHand } from '../../site/publish-by-hand.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { assertPageKnown, pageAddresses, siteTomlEntry } from './pages.ts'

/** By its slug or short id. */
const pageWanted = Type.Object({ slug: text })
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

/**
 * Publishes or unpublishes a page by hand: same bytes, other state. Published, visitors see it now, until its end if that is still to
 * come.
 */
const moving = (name: 'page.publish' | 'page.unpublish', text: string, state: AssetState) =>
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
        await assertPageKnown(box, { account, page, known })
        const before = page.current.state
        const now = box.clock.now()
        const changed = state === 'live' ? !isLiveAt(page.current, now) : before !== state
        const version = { ...page.current, state, ...(changed && state === 'live' && endOf(page.current, now)) }
        if (changed) await publishByHand({ account, asset: page, version, by }, box)
        const addressOf = await pageAddresses(box, account)
        const url = addressOf(await assetNamed(box.catalogue, account, { kind: 'page', text: page.name }))
        const siteToml = siteTomlEntry(page.name, version, account.settings.timezone)
        return {
          answer: { account: account.handle, slug: page.name, id: page.id, state, changed, url, siteToml },
          change: { before: { state: before }, after: { state } },
        }
      })
    },
  })

const endOf = ({ liveUntil }: LiveTimes, now: number): LiveTimes => ({
  liveFrom: null,
  liveUntil: liveUntil !== null && liveUntil > now ? liveUntil : null,
})

export const publishPage = moving('page.publish', 'Publish a page that is in preview', 'live')

export const unpublishPage = moving('page.unpublish', 'Move a live page back to preview', 'preview')

/** Publishes an earlier version of a page, which stays live or in preview, and keeps its times. */
export const rollBackPage = defineAct({
  name: 'page.rollback',
  text: 'Publish an earlier version of a page',
  of: 'account',
  scope: 'publish',
  input: Type.Object({
    slug: text,
    /** `null`: the latest version with other content. */
    to: Type.Optional(orNull(Type.Integer({ minimum: 1 }))),
  }),
  answer: Type.Object({
    account: text,
    slug: text,
    id: text,
    state: pageState,
    version: count,
    rolledBackTo: count,
    sha256: text,
    url: text,
  }),
  subject: ({ slug }) => slug,
  async run(box: PublishingBox, { account: handle, slug, to = null, known = null }, by: Publisher) {
    const account = await accountNamed(box.accounts, handle)
    return box.sites.exclusively(`capture page rollback ${account.handle}`, async () => {
      const page = await assetNamed(box.catalogue, account, { kind: 'page', text: slug })
      await assertPageKnown(box, { account, page, known })
      const target = wanted(await box.catalogue.versions(page.id), page, to)
      await assertContent(target, box)
      const { state: kept, liveFrom, liveUntil } = page.current
      await publishByHand({ account, asset: page, version: { ...target, state: kept, liveFrom, liveUntil }, by }, box)
      const addressOf = await pageAddresses(box, account)
      const now = await assetNamed(box.catalogue, account, { kind: 'page', text: page.name })
      const { number: version, state, sha256 } = now.current
      const shown = { account: account.handle, slug: page.name, id: page.id, state, version }
      return {
        answer: { ...shown, rolledBackTo: target.number, sha256, url: addressOf(now) },
        shownSince: target.publishedAt,
        change: { before: null, after: { version, contentOf: target.number } },
      }
    })
  },
})

function wanted(versions: AssetVersion[], page: Asset, to: number | null): AssetVersion {
  const { current, name } = page
  const target =
    to === null
      ? versions.find(({ number, sha256 }) => number < current.number && sha256 !== current.sha256)
      : versions.find(({ number }) => number === to)
  if (target === undefined) {
    const kept = versions.map(({ number }) => number).join(', ')
    throw new OperatorError(
      to === null
        ? `There is no earlier version of ${name} with other content.`
        : `There is no version ${to} of ${name}. These are stored: ${kept}.`,
    )
  }
  if (target.sha256 !== current.sha256) return target
  throw new OperatorError(
    `${name} shows the content of version ${target.number} already (as version ${current.number}).`,
  )
}

/** @throws OperatorError when the bytes of a version are missing or damaged */
export async function assertContent({ sha256, number }: AssetVersion, { assets }: Pick<Box, 'assets'>): Promise<void> {
  const stored = { sha256, encoding: 'identity' } as const
  const content = await assets.open(stored)
  if (content === null) {
    throw new OperatorError(`The content of version ${number} is missing on this box; \`capture doctor\` says what is.`)
  }
  if (await isSound(stored, content)) return
  throw new OperatorError(
    `The content of version ${number} is damaged on this box; \`capture doctor --deep\` says what is, and what to do.`,
  )
}
