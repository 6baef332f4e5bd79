import type { Config } from '../config/config.ts'
import { Certificates } from '../https/certificates.ts'
import { makeDefaultCertificate } from '../https/default-certificate.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { HttpsListener } from '../listener/https-listener.ts'
import type { Listener } from '../listener/listener.ts'
import type { ListenerParts } from '../listener/listener-parts.ts'
import { type Redirection, startRedirectingListener } from '../listener/redirecting-listener.ts'
import { CertificateFolder } from '../storage/filesystem/certificate-folder.ts'
import { listenFault } from './address-taken.ts'
import { everyInterval } from './interval.ts'

/** How often the folder is looked at (contract section 10). */
const lookMs = 60_000
/** How often it is asked whether that time has come, or a domain was connected. */
const tickMs = 1000
/** Names in one line of the log. */
const namesShown = 5

/** The listeners of `[https]`, and the watch over their certificates; none where the mode is off. */
export async function startHttps(parts: ListenerParts, { https, server }: Config): Promise<Pick<Listener, 'stop'>[]> {
  if (https.mode === 'off') return []
  if (https.mode === 'auto') throw new OperatorError('[https] mode "auto" is not finished: set "files" or "off".')
  const { directory, clock, log } = parts
  const certificates = new Certificates({ source: new CertificateFolder(https.folder), clock, log })
  let hosts = directory.hosts
  await certificates.look([...hosts, parts.previewHost])
  noticeNames([...hosts, parts.previewHost], certificates, parts)

  const options = {
    address: https.listen,
    http2: https.http2,
    hstsSeconds: https.hsts,
    defaultPair: makeDefaultCertificate(),
  }
  const secure = boundAs(https.listen, '[https] listen', () => HttpsListener.start(parts, options, certificates.pairs))
  log.info('Listening for https.', { host: https.listen.host, port: secure.port, names: certificates.pairs.length })
  const listeners: Pick<Listener, 'stop'>[] = [secure]

  if (https.httpListen !== null) {
    const address = https.httpListen
    const redirection: Redirection = {
      hasCertificate: (host) => secure.hasCertificate(host),
      httpsPort: redirectPort(server.publicUrl, secure.port),
    }
    try {
      const plain = boundAs(address, '[https] http_listen', () =>
        startRedirectingListener(parts, address, https.redirect ? redirection : null),
      )
      log.info('Listening for http beside it.', { host: address.host, port: plain.port })
      listeners.push(plain)
    } catch (error) {
      await secure.stop(0)
      throw error
    }
  }

  let lookedAtMs = clock.monotonicMs()
  const watch = everyInterval(
    tickMs,
    async () => {
      if (directory.hosts === hosts && clock.monotonicMs() - lookedAtMs < lookMs) return
      hosts = directory.hosts
      lookedAtMs = clock.monotonicMs()
      if (await certificates.look([...hosts, parts.previewHost])) secure.use(certificates.pairs)
    },
    log,
  )
  return [{ stop: () => watch.stop() }, ...listeners]
}

/** An address that `public_url` names is the one that visitors know: a router may map its port to ours. */
const redirectPort = (publicUrl: Config['server']['publicUrl'], bound: number): number | null => {
  const port = publicUrl !== 'auto' && publicUrl.scheme === 'https' ? publicUrl.port : bound
  return port === 443 ? null : port
}

function boundAs<T>(address: { host: string; port: number }, key: string, bind: () => T): T {
  try {
    return bind()
  } catch (error) {
    throw listenFault(error, address, key)
  }
}

function noticeNames(hosts: string[], certificates: Certificates, { log }: ListenerParts): void {
  const held = new Set(certificates.pairs.map(({ host }) => host))
  const without = hosts.filter((host) => !held.has(host))
  if (without.length === 0) return
  const names = without.slice(0, namesShown).join(', ') + (without.length > namesShown ? ', …' : '')
  log.warn(
    `No certificate for ${without.length} of ${hosts.length} names: ${names}. Put NAME.crt and NAME.key into the folder of [https]; until then their sites answer on plain http.`,
    { without: without.length },
  )
}
