import { formIdsMax, runtimeConfigurationJson } from '../../account/runtime-configuration.ts'
import { errorJson, json } from '../answers.ts'
import type { SiteArrival } from '../arrival.ts'

const publicHeaders = { 'access-control-allow-origin': '*', vary: 'Origin' }
const cacheable = { ...publicHeaders, 'cache-control': 'public, max-age=60' }

/** `GET /_svc/rc?f=<id1>,<id2>,…`: public on purpose, answers any origin (spec, CORS behaviour). */
export function runtimeConfigurationRoute({ request, site, ownOrigin }: SiteArrival): Response {
  const formIds = requestedForms(request.url)
  if (formIds.length > formIdsMax) {
    return json(errorJson('validation', `Ask for at most ${formIdsMax} form ids at once.`), 400, publicHeaders)
  }
  const origin = request.headers.get('origin')
  const authorised = origin === null || origin === ownOrigin || site.account.originAllowlist.allows(origin)
  return json(runtimeConfigurationJson(site.account, formIds, authorised), 200, cacheable)
}

/** Repeated ids count once; none at all is an empty list. */
function requestedForms(url: string): string[] {
  const query = url.indexOf('?')
  if (query < 0) return []
  const listed = new URLSearchParams(url.slice(query)).getAll('f').join(',')
  return [...new Set(listed.split(',').filter((id) => id !== ''))]
}
