import { places } from './places.ts'

/** The configuration of a box that has none yet. `null`: no host for previews was named. */
export const freshConfig = (
  previewHost: string | null,
): string => `# The configuration of this box. \`capture config example\` explains every key. After a change:
#   capture config check && systemctl reload capture
data_dir = "${places.data}"

[server]
# Plain HTTP, for this machine alone: the TLS proxy in front of it speaks HTTPS.
listen = "127.0.0.1:8080"
trusted_proxies = ["127.0.0.1/32", "::1/128"]
# The host of previews, which no account has as a domain: point its DNS here, and name it in the proxy.
${previewHost === null ? '# preview_host = "preview.example.com"' : `preview_host = "${previewHost}"`}
`
