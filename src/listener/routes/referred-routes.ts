import type { Asset } from '../../asset/asset.ts'
import { assetKinds, contentPath, type PathKind, pathKinds } from '../../asset/asset-kind.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { signedSiteIn, signedSitePath } from '../../asset/preview-signature.ts'
import { targetUrl } from '../../lib/request-target.ts'
import { bare } from '../answer/answers.ts'
import type { PreviewArrival } from '../arrival.ts'
import { type AssetServer, surfaceHeaders } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'
import { answerDownload, named, toSandboxes } from './download-routes.ts'
import { isShownOn, judgedLink, refusedLink } from './judged-link.ts'

type Params = Record<string, string>
type Answer = Response | Promise<Response>

/**
 * What a previewed page, its stylesheets and modules refer to: images, files and assets under the paths that they have on the
 * connected domain. They require a Referer with a valid, unexpired preview address of this host, which determines the account.
 */
export function referredRoutes(parts: ListenerParts, assets: AssetServer) {
  const referred =
    (kind: PathKind, answer: (arrival: PreviewArrival, asset: Asset, referrer: Referrer) => Answer) =>
    (arrival: PreviewArrival, params: Params): Answer => {
      const referrer = referrerOf(arrival, parts)
      const asset = referrer === null ? null : named(referrer.site.byPath[kind], params['*'])
      return referrer === null || asset === null ? notHere(arrival) : answer(arrival, asset, referrer)
    }
  const download = (arrival: PreviewArrival, asset: Asset): Answer =>
    answerDownload(assets, { arrival, asset, surface: 'preview' })
  /** Below a signed path, where what it refers to relatively needs no Referer of a page. */
  const redirect = ({ request }: PreviewArrival, asset: Asset, { site, expiresAt }: Referrer): Response => {
    const sitePath = signedSitePath(site.account, expiresAt / 1000, parts.directory.signingKeys)
    const location = sitePath + contentPath('asset', asset.name) + targetUrl(request).search
    return bare(302, { ...surfaceHeaders.preview, ...toSandboxes, location })
  }
  return {
    referredImage: referred('image', download),
    referredFile: referred('file', download),
    referredAsset: referred('asset', redirect),
    /** `/_preview/site/<signature>/assets/css/site.css` */
    signedSite(arrival: PreviewArrival, params: Params): Answer {
      const asked = signedSiteOf(targetUrl(arrival.request).pathname, arrival, parts)
      if (asked === null) return refusedLink(arrival)
      const { site, link } = asked
      if (link.verdict !== 'valid') return refusedLink(arrival, { judgement: link, site })
      const asset = contentAt(`/${params['*']}`, site)
      return asset === null ? notHere(arrival) : download(arrival, asset)
    },
  }
}

/** The content that a path of the connected domain shows, live or in preview. */
function contentAt(path: string, { byPath }: LiveSite): Asset | null {
  const kind = pathKinds.find((kind) => path.startsWith(assetKinds[kind].path))
  return kind === undefined ? null : named(byPath[kind], path.slice(assetKinds[kind].path.length))
}

interface Referrer {
  site: LiveSite
  /** Of its address, epoch milliseconds. */
  expiresAt: number
}

/** The previewed page, or the content below a signed path, that a request comes from. */
function referrerOf(arrival: PreviewArrival, parts: ListenerParts): Referrer | null {
  const referer = URL.parse(arrival.request.headers.get('referer') ?? '')
  if (referer?.origin !== arrival.ownOrigin) return null
  const asked = signedPageOf(referer, arrival, parts) ?? signedSiteOf(referer.pathname, arrival, parts)
  return asked?.link.verdict === 'valid' ? { site: asked.site, expiresAt: asked.link.expiresAt } : null
}

function signedPageOf({ pathname: path, searchParams: query }: URL, arrival: PreviewArrival, parts: ListenerParts) {
  const { previewPath } = assetKinds.page
  const site = path.startsWith(previewPath) ? parts.directory.siteOfAsset(path.slice(previewPath.length)) : null
  if (site === null || !isShownOn(arrival, site)) return null
  return { site, link: judgedLink(parts, { accountId: site.account.id, path, query }) }
}

function signedSiteOf(pathname: string, arrival: PreviewArrival, parts: ListenerParts) {
  const signed = signedSiteIn(pathname)
  const site = signed && parts.directory.siteNamed(signed.handle)
  if (!signed || !site || !isShownOn(arrival, site)) return null
  const { path, query } = signed
  return { site, link: judgedLink(parts, { accountId: site.account.id, path, query }) }
}
