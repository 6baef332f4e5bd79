import { readFileLink } from '../../account/file-link.ts'
import { fileHeaders, sentBytes } from '../../account/visitor-file.ts'
import { methodNotAllowed } from '../answer/answers.ts'
import { backInAMoment, tooManyForAddress } from '../answer/small-page.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

/**
 * `GET /_svc/d/<token>`: a visitor's file, for a receiver of the submission. What was erased, has expired or was signed elsewhere is
 * answered like an address at which nothing is.
 */
export function fileLinkRoute({ directory, visitorFiles, assets, downloads, clock }: ListenerParts) {
  return async (arrival: SiteArrival, { token = '' }: Record<string, string>): Promise<Response> => {
    const { request, site } = arrival
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD')
    const accountId = site.account.id
    const named = readFileLink(token, { accountId, keys: directory.signingKeys, now: clock.now() })
    if (named === null) return notHere(arrival)
    const file = await visitorFiles.find(accountId, named.submissionId, named.fileId)
    const stored = file && (await assets.open({ sha256: file.sha256, encoding: 'identity' }))
    if (file === null || stored === null) return notHere(arrival)
    const headers = { ...fileHeaders(file), 'x-robots-tag': 'noindex, nofollow' }
    if (request.method === 'HEAD')
      return new Response(null, { headers: { ...headers, 'content-length': String(file.bytes) } })
    const place = downloads.begin(arrival)
    if (place !== 'begun') return place === 'address' ? tooManyForAddress(arrival) : backInAMoment(arrival)
    return new Response(sentBytes(stored), { headers })
  }
}
