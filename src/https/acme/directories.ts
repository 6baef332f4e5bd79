/** A certificate authority that the configuration knows by a short name. */
interface KnownDirectory {
  url: string
  /** The same authority's staging directory; `null`: none. */
  staging: string | null
  /** The authority's names in CAA records (RFC 8659). Any of them allows it. */
  caaIdentities: readonly string[]
  /** Accounts need an external binding (`eab_kid`, `eab_hmac`). */
  needsExternalBinding: boolean
}

const letsEncryptStaging = 'https://acme-staging-v02.api.letsencrypt.org/directory'

export const knownDirectories = {
  letsencrypt: {
    url: 'https://acme-v02.api.letsencrypt.org/directory',
    staging: letsEncryptStaging,
    caaIdentities: ['letsencrypt.org'],
    needsExternalBinding: false,
  },
  'letsencrypt-staging': {
    url: letsEncryptStaging,
    staging: null,
    caaIdentities: ['letsencrypt.org'],
    needsExternalBinding: false,
  },
  zerossl: {
    url: 'https://acme.zerossl.com/v2/DV90',
    staging: null,
    // ZeroSSL issues through Sectigo, which accepts each of its names.
    caaIdentities: ['sectigo.com', 'trust-provider.com', 'usertrust.com', 'comodoca.com', 'comodo.com'],
    needsExternalBinding: true,
  },
  google: {
    url: 'https://dv.acme-v02.api.pki.goog/directory',
    staging: 'https://dv.acme-v02.test-api.pki.goog/directory',
    caaIdentities: ['pki.goog'],
    needsExternalBinding: true,
  },
} as const satisfies Record<string, KnownDirectory>

/** The known authority with this directory; `null`: unknown. */
export function knownDirectoryAt(url: string): KnownDirectory | null {
  return Object.values(knownDirectories).find((directory) => directory.url === url) ?? null
}
