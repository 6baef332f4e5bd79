import type { LiveSite } from '../../asset/live-site.ts'
import { judgePreview, type PreviewJudgement } from '../../asset/preview-signature.ts'
import { type SmallPage, smallPage, wayOn } from '../answer/small-page.ts'
import type { PreviewArrival } from '../arrival.ts'
import { surfaceHeaders } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'

/** One account's host shows that account's previews alone: each page there shares its origin. */
export const isShownOn = ({ only }: PreviewArrival, { account }: LiveSite): boolean =>
  only === null || only.account.id === account.id

/** Verifies a requested address, or one from a Referer. */
export function judgedLink(
  { directory, clock }: Pick<ListenerParts, 'directory' | 'clock'>,
  { accountId, path, query }: { accountId: string; path: string; query: URLSearchParams },
): PreviewJudgement {
  return judgePreview({ accountId, path }, query, { keys: directory.signingKeys, now: clock.now() })
}

/** The preview's account and origin, known only after the signature is verified. */
interface PreviewOwner {
  site: LiveSite
  ownOrigin: string
}

/**
 * The 403 answer for an invalid address, with the reason in words (docs/previews.md). It shows `owner` only for a valid
 * signature.
 */
export const refusedLink = (
  judgement: Exclude<PreviewJudgement, { verdict: 'valid' }> = { verdict: 'wrong' },
  owner: PreviewOwner | null = null,
): Response =>
  judgement.verdict === 'expired' ? linkPage(expiredLink(judgement.expiredAt), owner) : linkPage(wrongLink, null)

/** A page about a link that does not show what it was made for. Its links lead to the account's own domain, under this request's scheme and port. */
function linkPage(page: Pick<SmallPage, 'status' | 'title' | 'text'>, owner: PreviewOwner | null): Response {
  const headers = surfaceHeaders.preview
  if (owner === null) return smallPage({ ...page, headers })
  const { site, ownOrigin } = owner
  const [domain] = site.account.settings.domains
  const origin = domain === undefined ? '' : originOf(domain, ownOrigin)
  return smallPage({ ...page, headers, site, links: wayOn(site, { language: 'en', origin }) })
}

const wrongLink = {
  status: 403,
  title: 'This preview link does not work',
  text: 'It was not copied whole, was changed, or has been withdrawn. Ask whoever sent it to you to send it again.',
}

const expiredLink = (expiredAt: number) => ({
  status: 403,
  title: 'This preview has expired',
  text: `The link was right, and worked until ${instant.format(expiredAt)}. Ask whoever sent it to you for a new one.`,
})

/** The signature is valid, but its version is no longer kept (see docs/previews.md). */
export const forgottenVersion = (version: number, owner: PreviewOwner): Response =>
  linkPage(
    {
      status: 404,
      title: 'This version is no longer kept',
      text: `The link shows version ${version}, which newer ones have replaced. Ask whoever sent it to you for a link to a later one.`,
    },
    owner,
  )

const instant = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

/** The origin of another host of this box, under the request's scheme and port. */
export function originOf(host: string, ownOrigin: string): string {
  const { protocol, port } = new URL(ownOrigin)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}
