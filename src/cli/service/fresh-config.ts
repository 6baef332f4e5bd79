import { places } from './places.ts'

/** The values of a new configuration. */
export interface FreshConfig {
  /** `null`: no host for previews was named. */
  previewHost: string | null
  /** `null`: no public name for the console was given. */
  consoleHost: string | null
  /** Contact address for the certificate authority; `null`: none given. */
  email: string | null
  /** Why HTTPS stays off, as part of a sentence; `null`: ports 80 and 443 are free. */
  httpsHindrance: string | null
  /** Whether this machine has IPv6 at all. */
  hasIpv6: boolean
}

/** The configuration of a box that has none yet. */
export const freshConfigText = (
  fresh: FreshConfig,
): string => `# The configuration of this box. \`capture config example\` explains every key. After a change:
#   capture config check && systemctl reload capture
# Changes to [https] and to addresses need a restart: systemctl restart capture
data_dir = "${places.data}"

[server]
${fresh.httpsHindrance === null ? plainForThisMachine : plainForProxy}
# The host of previews, which no account has as a domain: point its DNS here${fresh.httpsHindrance === null ? '' : ', and name it in the proxy'}.
${fresh.previewHost === null ? '# preview_host = "preview.example.com"' : `preview_host = "${fresh.previewHost}"`}

[https]
${fresh.httpsHindrance === null ? httpsByItself(fresh) : httpsOff(fresh.httpsHindrance)}
# Whom the certificate authority may tell that something is wrong.
${fresh.email === null ? '# email = "ops@example.com"' : `email = ${JSON.stringify(fresh.email)}`}

[console]
# The console's name on the open internet: point its DNS here. Without a name, it answers this machine alone, at
# http://localhost:8081: ssh -L 8081:localhost:8081 THIS-MACHINE
${fresh.consoleHost === null ? '# host = "console.example.com"' : `host = "${fresh.consoleHost}"`}
`

// No proxy stands before this listener, so no forwarding header is believed.
const plainForThisMachine = `# Plain HTTP, for this machine only.
listen = "127.0.0.1:8080"`

const plainForProxy = `# Plain HTTP, for this machine alone: the TLS proxy in front of it speaks HTTPS.
listen = "127.0.0.1:8080"
trusted_proxies = ["127.0.0.1/32", "::1/128"]`

const httpsByItself = ({
  hasIpv6,
}: FreshConfig): string => `# Ports 443 and 80. Certificates for every connected domain and the preview host come by themselves, from Let's Encrypt, whose
# terms of service this accepts (https://letsencrypt.org/repository/).
mode = "auto"${hasIpv6 ? '' : onIpv4Alone}`

const onIpv4Alone = `
# This machine has no IPv6.
listen = "0.0.0.0:443"
http_listen = "0.0.0.0:80"`

const httpsOff = (
  hindrance: string,
): string => `# Off, since ${hindrance} when this was written. With both ports free, "auto" brings
# certificates for every connected domain by itself; then take trusted_proxies out above.
mode = "off"`
