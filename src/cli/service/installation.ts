import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEmail } from '../../config/https.ts'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { packagedExecutable } from '../../release/built-in.ts'
import { usageError } from '../command.ts'
import { isListenedOn, portHolder } from '../serve/ports.ts'
import type { Session } from '../session.ts'
import { below, defaultUser, mainPid, places } from './machine.ts'
import { installedUnit } from './unit.ts'

export interface InstallInput {
  user: string | undefined
  previewHost: string | undefined
  consoleHost: string | undefined
  email: string | undefined
  root: string | undefined
  dryRun: boolean
}

export interface Installation {
  /** The root folder of this machine or of a future one. */
  tree: string
  isThisMachine: boolean
  user: string
  fresh: FreshConfig
  source: string
  /** The service's executable, as a path inside the tree. */
  executable: string
  earlier: string | null
}

/** Checks the options and the machine. @throws OperatorError for impossible ones */
export function installationOf(input: InstallInput, { cwd }: Session): Installation {
  const { previewHost, consoleHost, email, root } = input
  if (root === '') throw usageError('--root is empty: name the folder.')
  const tree = root === undefined ? '/' : resolve(cwd, root)
  const unit = installedUnit(tree)
  const user = input.user ?? unit?.user ?? defaultUser
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(user)) {
    throw usageError(`--user ${user}: a user's name may only have lower-case letters, digits, "-" and "_".`)
  }
  if (user === 'root') throw usageError('--user root: the service needs its own user. Leave --user out.')
  if (!Bun.isStandaloneExecutable) throw new OperatorError('Only the built executable installs itself: bun run build')
  const source = process.execPath
  const isPackaged = source === below(tree, packagedExecutable)
  return {
    tree,
    isThisMachine: root === undefined,
    user,
    fresh: {
      previewHost: previewHost === undefined ? null : hostOf('--preview-host', previewHost),
      consoleHost: consoleHost === undefined ? null : hostOf('--console-host', consoleHost),
      email: email === undefined ? null : emailOf(email),
      // A tree is not running, so its ports count as free.
      httpsHindrance: root === undefined ? httpsHindrance() : null,
      hasIpv6: root !== undefined || existsSync('/proc/net/if_inet6'),
    },
    source,
    executable: isPackaged ? packagedExecutable : places.executable,
    earlier: unit?.executable ?? null,
  }
}

function hostOf(option: string, text: string): string {
  const reading = readHostname(text)
  if ('value' in reading) return reading.value
  throw usageError(`${option} ${text}: expected ${reading.expected}.`)
}

function emailOf(text: string): string {
  const reading = parseEmail(text)
  if ('value' in reading) return reading.value
  throw usageError(`--email ${text}: expected ${'expected' in reading ? reading.expected : 'one email address'}.`)
}

const httpsPorts = [80, 443]

/** The other programs on the HTTPS ports, as part of a sentence; `null`: none. */
export function httpsHindrance(): string | null {
  const taken = httpsPorts.filter(isListenedOn).flatMap((port) => {
    const holder = portHolder(port)
    // The service itself may be running while its configuration is recreated.
    return holder?.pid === mainPid() ? [] : [`port ${port} was held by ${holder?.text ?? 'another program'}`]
  })
  return taken.length === 0 ? null : taken.join(' and ')
}

interface FreshConfig {
  previewHost: string | null
  consoleHost: string | null
  /** Contact address for the certificate authority; `null`: none given. */
  email: string | null
  /** Why HTTPS stays off, as part of a sentence; `null`: ports 80 and 443 are free. */
  httpsHindrance: string | null
  hasIpv6: boolean
}

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
