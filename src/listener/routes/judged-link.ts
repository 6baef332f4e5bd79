import type { LiveSite } from '../../asset/live-site.ts'
import { judgePreview, type PreviewJudgement } from '../../asset/preview-signature.ts'
import { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { languageFor, type SmallPage, smallPage, wayOn } from '../answer/small-page.ts'
import type { Arrival, PreviewArrival } from '../arrival.ts'
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

/** A preview's account, known only after the signature is verified; `null`: it is not. */
type PreviewOwner = LiveSite | null

/**
 * The 403 answer for an invalid address, with the reason in words (docs/previews.md). It shows the account only for a
 * valid signature.
 */
export function refusedLink(
  arrival: Arrival,
  { judgement, site }: { judgement: Exclude<PreviewJudgement, { verdict: 'valid' }>; site: PreviewOwner } = {
    judgement: { verdict: 'wrong' },
    site: null,
  },
): Response {
  if (judgement.verdict !== 'expired') {
    return linkPage(arrival, { status: 403, site: null, wordsOf: ({ texts }) => texts.smallPages.previewWrong })
  }
  const { expiredAt } = judgement
  return linkPage(arrival, {
    status: 403,
    site,
    wordsOf(locale) {
      const { title, text } = locale.texts.smallPages.previewExpired
      return { title, text: filled(text, { until: locale.instant(expiredAt, 'UTC') }) }
    },
  })
}

/** The signature is valid, but its version is no longer kept (see docs/previews.md). */
export const forgottenVersion = (arrival: Arrival, { version, site }: { version: number; site: LiveSite }): Response =>
  linkPage(arrival, {
    status: 404,
    site,
    wordsOf({ texts }) {
      const { title, text } = texts.smallPages.previewForgotten
      return { title, text: filled(text, { version }) }
    },
  })

interface LinkPage extends Pick<SmallPage, 'status'> {
  site: PreviewOwner
  wordsOf: (locale: Locale) => Pick<SmallPage, 'title' | 'text'>
}

/** A page about a link that does not show what it was made for. Its links lead to the account's own domain, under this request's scheme and port. */
function linkPage({ request, ownOrigin }: Arrival, { status, site, wordsOf }: LinkPage): Response {
  const language = languageFor({ request, site })
  const page = { status, language, ...wordsOf(new Locale(language)), headers: surfaceHeaders.preview }
  if (site === null) return smallPage(page)
  const [domain] = site.account.settings.domains
  const origin = domain === undefined ? '' : originOf(domain, ownOrigin)
  return smallPage({ ...page, site, links: wayOn(site, { language, origin }) })
}

/** The origin of another host of this box, under the request's scheme and port. */
export function originOf(host: string, ownOrigin: string): string {
  const { protocol, port } = new URL(ownOrigin)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}
