import type { Publisher } from '../../account/publisher.ts'
import type { Asset, AssetState, AssetVersion } from '../../asset/asset.ts'
import { isSound } from '../../asset/sound-bytes.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { KnownRevisions } from '../../lib/revision.ts'
import { publishByHand } from '../../site/publish-by-hand.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'
import { pageAddresses } from './page-address.ts'
import { assertPageKnown } from './page-revision.ts'

export interface PageRollback {
  account: string
  /** The page's slug or short id. */
  slug: string
  /** `null`: the latest version with other content. */
  to: number | null
  by: Publisher
  known?: KnownRevisions
}

export interface RolledBackPage {
  account: string
  slug: string
  id: string
  state: AssetState
  /** The number of the new current version. */
  version: number
  /** The earlier version with the same content. */
  rolledBackTo: { number: number; publishedAt: number }
  sha256: string
  url: string
}

/**
 * Publishes an earlier version of a page, which stays live or in preview.
 *
 * @throws OperatorError when there is no such account, page or version, when the content is missing or damaged, or
 * while another process publishes
 * @throws ChangedMeanwhile when the page is at none of the known revisions
 */
export async function rollBackPage(
  box: Pick<Box, 'accounts' | 'catalogue' | 'sites' | 'assets' | 'signingKeys' | 'config' | 'clock'>,
  { account: handle, slug, to, by, known = null }: PageRollback,
): Promise<RolledBackPage> {
  const account = await accountNamed(box.accounts, handle)
  return box.sites.exclusively(`capture page rollback ${account.handle}`, async () => {
    const page = await assetNamed(box.catalogue, account, { kind: 'page', text: slug })
    assertPageKnown(page, known)
    const target = wanted(await box.catalogue.versions(page.id), page, to)
    await assertContent(target, box)
    await publishByHand({ account, asset: page, version: { ...target, state: page.current.state }, by }, box)
    const addressOf = await pageAddresses(box, account)
    const now = await assetNamed(box.catalogue, account, { kind: 'page', text: page.name })
    const { number, state, sha256 } = now.current
    return {
      account: account.handle,
      slug: page.name,
      id: page.id,
      state,
      version: number,
      rolledBackTo: { number: target.number, publishedAt: target.publishedAt },
      sha256,
      url: addressOf(now),
    }
  })
}

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

async function assertContent({ sha256, number }: AssetVersion, { assets }: Pick<Box, 'assets'>): Promise<void> {
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
