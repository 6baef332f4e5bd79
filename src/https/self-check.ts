import { X509Certificate } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'
import { reachableHost } from '../lib/hostname.ts'
import type { Log } from '../lib/log.ts'
import type { CertificatePair } from './certificate-pair.ts'

const answerMsMax = 5000

interface SelfCheckParts {
  /** The listener's address. */
  address: { host: string; port: number }
  log: Pick<Log, 'info' | 'error'>
}

/**
 * Connects to the box itself, like a visitor, and verifies its certificates. The pairs are already checked; this finds handshakes
 * that fail nevertheless, and other programs that answer on the same port.
 */
export class SelfCheck {
  private inUse = new Map<string, CertificatePair>()
  /** Pairs in use that have not been verified yet. */
  private readonly unasked = new Map<string, CertificatePair>()
  private round = 0
  /** Certificates that were verified since the last report. */
  private shown = 0

  constructor(private readonly parts: SelfCheckParts) {}

  /** Sets the expected pairs. A check in progress is repeated with the next `ask`. */
  expect(pairs: readonly CertificatePair[]): void {
    this.round++
    const before = this.inUse
    this.inUse = new Map(pairs.map((pair) => [pair.host, pair]))
    for (const host of this.unasked.keys()) if (!this.inUse.has(host)) this.unasked.delete(host)
    for (const [host, pair] of this.inUse) {
      if (before.get(host)?.certificate !== pair.certificate) this.unasked.set(host, pair)
    }
  }

  /** One handshake for each new certificate, one at a time, so that visitors are not delayed. */
  async ask(): Promise<void> {
    const round = ++this.round
    for (const [host, pair] of this.unasked) {
      const fault = await shownFault(pair, this.parts.address)
      if (round !== this.round) return
      this.unasked.delete(host)
      if (fault === null) this.shown++
      else this.say(pair, fault)
    }
    if (this.shown === 0) return
    this.parts.log.info('The box serves its new certificates.', { names: this.shown })
    this.shown = 0
  }

  /** Ends all reports. */
  stop(): void {
    this.round++
  }

  private say({ host }: CertificatePair, fault: string): void {
    this.parts.log.error(
      `Visitors of https://${host} may get a wrong certificate: asked for its own, the box ${fault}. Check that no other program listens on port ${this.parts.address.port}, and restart the service.`,
      { host },
    )
  }
}

/** Why the host does not get this certificate; `null`: it does. */
async function shownFault({ host, certificate }: CertificatePair, address: SelfCheckParts['address']) {
  const socket = connect({
    host: reachableHost(address.host),
    port: address.port,
    servername: host,
    // The certificate is compared byte by byte, so its issuer need not be trusted.
    rejectUnauthorized: false,
  })
  try {
    const failure = await shaken(socket)
    if (failure !== null) return `did not answer (${failure})`
    const { raw } = socket.getPeerCertificate()
    return raw?.equals(new X509Certificate(certificate).raw) ? null : 'showed another one'
  } finally {
    socket.destroy()
  }
}

/** `null` after the handshake; otherwise why it failed. */
function shaken(socket: TLSSocket): Promise<string | null> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(`nothing within ${answerMsMax / 1000} s`), answerMsMax)
    const end = (outcome: string | null) => {
      clearTimeout(limit)
      resolve(outcome)
    }
    socket.once('secureConnect', () => end(null))
    socket.once('close', () => end('the connection was closed'))
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message))
  })
}
