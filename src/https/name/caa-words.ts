import { plural } from '../../lib/quantities.ts'
import { type CaaRecord, type CaaVerdict, caaText } from './caa.ts'

/** Limits the authorities named in a sentence; a record set may have hundreds. */
const namesShown = 5

type Found = { failed: string; at: string } | { holder: string; verdict: Exclude<CaaVerdict, 'allowed'> }

/** Why CAA records keep an authority from issuing, and what to do. */
export function caaFault(host: string, found: Found, identities: readonly string[]): string {
  if ('failed' in found)
    return `The CAA records of ${found.at} cannot be looked up (${found.failed}), and authorities refuse to issue then: ask its DNS provider to fix that.`
  const { holder, verdict } = found
  const where = holder === host ? holder : `${holder}, which apply to ${host},`
  if ('critical' in verdict)
    return `${holder} has a critical CAA record that authorities do not know, so they refuse to issue: remove ${caaText(verdict.critical)}.`
  const [identity] = identities
  const names = [...new Set(verdict.forbids.map(issuerOf))]
  if (identity === undefined || names.every((name) => name === ''))
    return `The CAA records of ${where} let nobody issue certificates: add ${wanted(identity)}.`
  if (names.some((name) => identities.includes(name)))
    return `The CAA records of ${where} restrict ${identity} to another account or another way of validation: add ${wanted(identity)}.`
  const others = names.filter((name) => name !== '').toSorted()
  const more =
    others.length > namesShown ? ` and ${plural(others.length - namesShown, 'more authority', 'more authorities')}` : ''
  const allowed = others.slice(0, namesShown).join(' and ') + more
  return `The CAA records of ${where} let only ${allowed} issue certificates: add ${wanted(identity)}.`
}

const wanted = (identity: string | undefined): string =>
  identity === undefined ? 'one that names your authority' : `0 issue "${identity}"`

const hostPattern = /^[a-z0-9.-]{0,253}$/

/** `''`: nobody. */
function issuerOf({ value }: CaaRecord): string {
  const issuer = value.split(';')[0]?.trim().toLowerCase() ?? ''
  return hostPattern.test(issuer) ? issuer : 'another authority'
}
