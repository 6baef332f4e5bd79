import { type CaaRecord, type CaaVerdict, caaText } from './caa.ts'

type Found = { failed: string; at: string } | { holder: string; verdict: Exclude<CaaVerdict, 'allowed'> }

/** Why CAA records keep an authority from issuing, and what to do. */
export function caaFault(host: string, found: Found, identities: readonly string[]): string {
  if ('failed' in found)
    return `The DNS servers of ${found.at} do not say which authorities may issue certificates (CAA: ${found.failed}), and none does then: have its DNS provider look at that.`
  const { holder, verdict } = found
  const where = holder === host ? holder : `${holder}, which holds for ${host} too,`
  if ('critical' in verdict)
    return `A critical CAA record of ${where} is unknown to authorities, so that none issues: remove ${caaText(verdict.critical)}.`
  const [identity] = identities
  const names = [...new Set(verdict.forbids.map(issuerOf))]
  if (identity === undefined || names.every((name) => name === ''))
    return `The CAA records of ${where} let nobody issue certificates: add ${wanted(identity)} beside them.`
  if (names.some((name) => identities.includes(name)))
    return `The CAA record of ${where} ties ${identity} to another account or another way of validation: set it to ${wanted(identity)}.`
  const allowed = names.filter((name) => name !== '').join(' and ')
  return `The CAA records of ${where} let only ${allowed} issue certificates: add ${wanted(identity)} beside them.`
}

const wanted = (identity: string | undefined): string =>
  identity === undefined ? 'one that names your authority' : `0 issue "${identity}"`

/** `''`: nobody. */
function issuerOf({ value }: CaaRecord): string {
  const issuer = value.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[a-z0-9.-]*$/.test(issuer) ? issuer : 'another authority'
}
