import type { Asset, AssetKind } from '../../asset/asset.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { previewPath, previewPrefixes } from '../../asset/preview-host.ts'
import {
  judgePreview,
  type PreviewJudgement,
  signedPreviewQuery,
  type ValidPreview,
} from '../../asset/preview-signature.ts'
import { targetUrl } from '../../lib/request-target.ts'
import { type SmallPage, smallPage, wayOn } from '../answer/small-page.ts'
import type { PreviewArrival } from '../arrival.ts'
import { type AssetServer, surfaceHeaders } from '../assets/serve-asset.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'
import { answerDownload, named } from './download-routes.ts'
import { lostPage } from './page-route.ts'

const surface = 'preview'
const htmlType = 'text/html; charset=utf-8'

type Params = Record<string, string>
type Answer = Response | Promise<Response>

interface Shown {
  asset: Asset
  site: LiveSite
  link: ValidPreview
}

/**
 * The preview hosts' routes: signed, expiring, never indexed, capturing nothing (docs/previews.md). A page has the origin of
 * its account's own host, or none that anything else shares.
 */
export function previewRoutes(parts: ListenerParts, assets: AssetServer) {
  const page = signedRoute(parts, 'page', async (arrival, shown) => {
    const surface = arrival.only === null ? 'sandboxed' : 'preview'
    const headers = () => ({ 'content-type': htmlType, ...surfaceHeaders[surface] })
    if (surface === 'sandboxed' && isForBrowser(arrival.request)) return forBrowser(shown, { parts, assets, headers })
    return (await assets.answer({ arrival, asset: shown.asset, surface, headers, ranges: false })) ?? lostPage()
  })
  const download = (arrival: PreviewArrival, asset: Asset) => answerDownload(assets, { arrival, asset, surface })
  const signedDownload = (arrival: PreviewArrival, { asset }: Shown) => download(arrival, asset)
  const referred =
    (of: 'images' | 'files') =>
    (arrival: PreviewArrival, params: Params): Answer => {
      const asset = named(referringSite(arrival, parts)?.[of] ?? new Map(), params['*'])
      return asset === null ? notHere(arrival) : download(arrival, asset)
    }
  return {
    page,
    image: signedRoute(parts, 'image', signedDownload),
    file: signedRoute(parts, 'file', signedDownload),
    referredImage: referred('images'),
    referredFile: referred('files'),
  }
}

/** Browsers say so (Fetch Metadata, `Sec-Fetch-Dest`); programs get the very bytes of the version. */
const isForBrowser = ({ method, headers }: Request): boolean => method === 'GET' && headers.has('sec-fetch-dest')

/** The page with signed addresses in place of references that need a Referer: a sandboxed page sends none. */
async function forBrowser(
  { asset, site, link }: Shown,
  { parts, assets, headers }: { parts: ListenerParts; assets: AssetServer; headers: () => Record<string, string> },
): Promise<Response> {
  const body = await assets.published(asset)
  if (body === null) return lostPage()
  const keys = parts.directory.signingKeys
  const expiresAtSeconds = link.expiresAt / 1000
  const addressOf = (asset: Asset): string => {
    const path = previewPath(asset)
    return `${path}?${signedPreviewQuery({ accountId: site.account.id, path }, expiresAtSeconds, keys)}`
  }
  return new Response(withSignedReferences(await body.text(), site, addressOf), { headers: headers() })
}

/** Shows the asset of a signed address: its signed version, else the current one. */
function signedRoute(
  parts: ListenerParts,
  kind: AssetKind,
  show: (arrival: PreviewArrival, shown: Shown) => Promise<Response>,
) {
  return async (arrival: PreviewArrival, { id = '' }: Params): Promise<Response> => {
    const site = parts.directory.siteOfAsset(id)
    const asset = site?.byId.get(id)
    if (!site || asset?.kind !== kind || !isShownOn(arrival, site)) return refusedLink()
    const link = judgedLink(parts, {
      accountId: site.account.id,
      path: previewPath(asset),
      query: targetUrl(arrival.request).searchParams,
    })
    if (link.verdict !== 'valid') return refusedLink(link, { site, ownOrigin: arrival.ownOrigin })
    const { version } = link
    if (version === null || version === asset.current.number) return show(arrival, { asset, site, link })
    const kept = await parts.catalogue.versions(id)
    const current = kept.find(({ number }) => number === version)
    return current === undefined
      ? forgottenVersion(version, { site, ownOrigin: arrival.ownOrigin })
      : show(arrival, { asset: { ...asset, current }, site, link })
  }
}

/** One account's host shows that account's previews alone: each page there shares its origin. */
const isShownOn = ({ only }: PreviewArrival, { account }: LiveSite): boolean =>
  only === null || only.account.id === account.id

/**
 * Images and files of a previewed page. They require a Referer with a valid, unexpired preview address of this host, which
 * determines the account.
 */
function referringSite(arrival: PreviewArrival, parts: ListenerParts): LiveSite | null {
  const referer = arrival.request.headers.get('referer')
  if (referer === null || !URL.canParse(referer)) return null
  const { origin, pathname, searchParams } = new URL(referer)
  if (origin !== arrival.ownOrigin || !pathname.startsWith(previewPrefixes.page)) return null
  const site = parts.directory.siteOfAsset(pathname.slice(pathname.lastIndexOf('/') + 1))
  if (site === null || !isShownOn(arrival, site)) return null
  const link = judgedLink(parts, { accountId: site.account.id, path: pathname, query: searchParams })
  return link.verdict === 'valid' ? site : null
}

/** A page with more references than this keeps the later ones as they are. */
const referencesMax = 2000
/** A name percent-encoded, each byte of it, would be longer still; none in use is. */
const referenceCharactersMax = 600
/** How often one reference is tried with a longer name: names may contain what also ends a reference. */
const triesMax = 16

/** Not behind a host: those addresses lead to the connected domain. */
const start = /(?<![\w.\]-])\/_svc\/(img|file)\//g
const beyond = /["<>`\\\n]/
const ends = /[\s'(),;&?#]|$/g
const queryAtStart = /^\?[^\s"'<>`\\),#]*/

/**
 * A page's markup with each reference to an image or file of the account replaced by its signed address. A sandboxed page
 * sends no Referer (Referrer Policy, section 8.3), which is what `/_svc/img/…` and `/_svc/file/…` require on the preview host.
 *
 * The text is searched, not the elements, so references in style sheets, `srcset` and scripts are found too.
 *
 * @param addressOf the signed address of an asset
 */
export function withSignedReferences(
  markup: string,
  { images, files }: Pick<LiveSite, 'images' | 'files'>,
  addressOf: (asset: Asset) => string,
): string {
  let result = ''
  let done = 0
  let references = 0
  for (const match of markup.matchAll(start)) {
    const nameAt = match.index + match[0].length
    if (match.index < done) continue
    if (++references > referencesMax) break
    const found = referenced(match[1] === 'img' ? images : files, markup.slice(nameAt, nameAt + referenceCharactersMax))
    if (found === null) continue
    result += markup.slice(done, match.index) + addressOf(found.asset)
    done = nameAt + found.length
  }
  return result + markup.slice(done)
}

/** The asset with the shortest name that the text begins with, and how much of the text names it. */
function referenced(assets: ReadonlyMap<string, Asset>, text: string): { asset: Asset; length: number } | null {
  const [whole = ''] = text.split(beyond, 1)
  let tries = 0
  for (const { index } of whole.matchAll(ends)) {
    if (++tries > triesMax) return null
    const asset = named(assets, whole.slice(0, index))
    // A query of the page's own would make the signature wrong.
    if (asset !== null) return { asset, length: index + (queryAtStart.exec(whole.slice(index))?.[0].length ?? 0) }
  }
  return null
}

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
const forgottenVersion = (version: number, owner: PreviewOwner): Response =>
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
