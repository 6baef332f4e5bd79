import type { LiveSite } from '../asset/live-site.ts'
import { judgePreview, type PreviewJudgement } from '../asset/preview-signature.ts'
import type { ListenerParts } from './listener-parts.ts'
import { originOf } from './other-host.ts'
import { surfaceHeaders } from './routes/download-routes.ts'
import { type SmallPage, smallPage } from './small-page.ts'
import { wayOn } from './way-on.ts'

/** Judges an address, as it was asked for or as a Referer names it, as one of the account's. */
export function judgedLink(
  { directory, clock }: Pick<ListenerParts, 'directory' | 'clock'>,
  { accountId, path, query }: { accountId: string; path: string; query: URLSearchParams },
): PreviewJudgement {
  return judgePreview({ accountId, path }, query, { keys: directory.signingKeys, now: clock.now() })
}

/** Whose preview it is, and the origin it was asked under: known only once the signature is right. */
interface PreviewOwner {
  site: LiveSite
  ownOrigin: string
}

/**
 * The answer to an address that shows nothing (contract section 4, "Preview"): 403, and why in words. A wrong signature
 * learns nothing of the account; `owner` is shown to one that was right.
 */
export const refusedLink = (
  judgement: Exclude<PreviewJudgement, { verdict: 'valid' }> = { verdict: 'wrong' },
  owner: PreviewOwner | null = null,
): Response => (judgement.verdict === 'expired' ? expiredLink(judgement.expiredAt, owner) : wrongLink())

/** The way on leads to the account's own domain, which is reached as this host was. */
function ownersPage(owner: PreviewOwner | null): Pick<SmallPage, 'site' | 'links'> {
  if (owner === null) return {}
  const { site, ownOrigin } = owner
  const [domain] = site.account.settings.domains
  const origin = domain === undefined ? '' : originOf(domain, ownOrigin)
  return { site, links: wayOn(site, { language: 'en', origin }) }
}

const wrongLink = (): Response =>
  smallPage({
    status: 403,
    title: 'This preview link does not work',
    text: 'It was not copied whole, was changed, or has been withdrawn. Ask whoever sent it to you to send it again.',
    headers: surfaceHeaders.preview,
  })

const expiredLink = (expiredAt: number, owner: PreviewOwner | null): Response =>
  smallPage({
    ...ownersPage(owner),
    status: 403,
    title: 'This preview has expired',
    text: `The link was right, and worked until ${instant.format(expiredAt)}. Ask whoever sent it to you for a new one.`,
    headers: surfaceHeaders.preview,
  })

/** The signature is right; the version it names is among the earlier ones no longer (see docs/previews.md). */
export const forgottenVersion = (version: number, owner: PreviewOwner): Response =>
  smallPage({
    ...ownersPage(owner),
    status: 404,
    title: 'This version is no longer kept',
    text: `The link shows version ${version}, which newer ones have replaced. Ask whoever sent it to you for a link to a later one.`,
    headers: surfaceHeaders.preview,
  })

const instant = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})
