import { judgePreview, type PreviewJudgement } from '../asset/preview-signature.ts'
import type { ListenerParts } from './listener-parts.ts'
import { surfaceHeaders } from './routes/download-routes.ts'
import { smallPage } from './small-page.ts'

/** Judges an address, as it was asked for or as a Referer names it, as one of the account's. */
export function judgedLink(
  { directory, clock }: Pick<ListenerParts, 'directory' | 'clock'>,
  { accountId, path, query }: { accountId: string; path: string; query: URLSearchParams },
): PreviewJudgement {
  return judgePreview({ accountId, path }, query, { keys: directory.signingKeys, now: clock.now() })
}

/** The answer to an address that shows nothing (contract section 4, "Preview"): 403, and why in words. */
export const refusedLink = (
  judgement: Exclude<PreviewJudgement, { verdict: 'valid' }> = { verdict: 'wrong' },
): Response => (judgement.verdict === 'expired' ? expiredLink(judgement.expiredAt) : wrongLink())

const wrongLink = (): Response =>
  smallPage({
    status: 403,
    title: 'This preview link does not work',
    text: 'It was not copied whole, was changed, or has been withdrawn. Ask whoever sent it to you to send it again.',
    headers: surfaceHeaders.preview,
  })

const expiredLink = (expiredAt: number): Response =>
  smallPage({
    status: 403,
    title: 'This preview has expired',
    text: `The link was right, and worked until ${instant.format(expiredAt)}. Ask whoever sent it to you for a new one.`,
    headers: surfaceHeaders.preview,
  })

/** The signature is right; the version it names is among the earlier ones no longer (see docs/previews.md). */
export const forgottenVersion = (version: number): Response =>
  smallPage({
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
