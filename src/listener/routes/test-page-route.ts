import { testPagePath } from '../../asset/preview-host.ts'
import { onlyValue, targetUrl } from '../../lib/request-target.ts'
import type { Arrival, PreviewArrival } from '../arrival.ts'
import { surfaceHeaders } from '../assets/serve-asset.ts'
import type { ListenerParts, TestPageDocument } from '../listener-parts.ts'
import { notHere, type SiteHandler } from '../router.ts'
import { judgedLink, originOf, refusedLink } from './judged-link.ts'

/**
 * `GET /_preview/test?account=<handle>`: the hosted test page of an account, and with `domain=<host>` the empty website
 * that it opens in frames (spec, "Preview surfaces"; docs/previews.md).
 */
function testPageRoute(parts: ListenerParts) {
  return (arrival: Arrival): Response => {
    const { request, host, ownOrigin } = arrival
    const { searchParams, search } = targetUrl(request)
    const site = parts.directory.siteNamed(onlyValue(searchParams, 'account') ?? '')
    if (site === null) return refusedLink(arrival)
    const link = judgedLink(parts, { accountId: site.account.id, path: testPagePath, query: searchParams })
    if (link.verdict !== 'valid') return refusedLink(arrival, { judgement: link, site })

    const { settings, forms } = site.account
    const botCheckProvider = settings.botCheck.provider
    if (searchParams.has('domain')) {
      const domain = settings.domains.find((domain) => domain === onlyValue(searchParams, 'domain'))
      if (domain === undefined) return notHere(arrival)
      return answer(parts.testPage.website({ origin: originOf(domain, ownOrigin), botCheckProvider }))
    }
    return answer(
      parts.testPage.page({
        account: { handle: site.account.handle, name: settings.name },
        domains: settings.domains.map((domain) => ({ host: domain, origin: originOf(domain, ownOrigin) })),
        forms: [...forms.values()].map(({ id, name, confirm }) => ({ id, name, asks: confirm !== null })),
        botCheckProvider,
        expiresAt: link.expiresAt,
        thirdPartyUrl:
          host === parts.previewHost ? null : originOf(parts.previewHost, ownOrigin) + testPagePath + search,
      }),
    )
  }
}

/** The host of one account's previews has no test page: what a page there sends is not marked as a test. */
export function testPageOnPreviewHost(parts: ListenerParts) {
  const page = testPageRoute(parts)
  return (arrival: PreviewArrival): Response => (arrival.only === null ? page(arrival) : notHere(arrival))
}

/** Connected domains have no test page, except in the demo (docs/decisions/0013). */
export function testPageOnDomain(parts: ListenerParts, noPage: SiteHandler): SiteHandler {
  const page = testPageRoute(parts)
  return (arrival, params) => (arrival.host === parts.testPageDomain ? page(arrival) : noPage(arrival, params))
}

const answer = ({ html, policy }: TestPageDocument): Response =>
  new Response(html, {
    headers: {
      ...surfaceHeaders.preview,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      // The address is a secret: other hosts may learn only its origin.
      'referrer-policy': 'strict-origin',
      // No page that opened it, such as another account's preview, has its window.
      'cross-origin-opener-policy': 'same-origin',
    },
  })
