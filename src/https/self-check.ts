import { X509Certificate } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'
import type { Log } from '../lib/log.ts'
import { reachableHost } from '../lib/reachable-host.ts'
import type { CertificatePair } from './certificate-pair.ts'

const answerMsMax = 5000

interface SelfCheckParts {
  /** Where the listener is bound. */
  address: { host: string; port: number }
  log: Pick<Log, 'info' | 'error'>
}

/**
 * Asks the box itself, as a visitor would, whether it shows the certificates that it should. The pairs were checked before:
 * what is left to find is a handshake that fails all the same, and somebody else who answers on the same port.
 */
export class SelfCheck {
  private inUse = new Map<string, CertificatePair>()
  /** Those in use that nobody has asked for yet. */
  private readonly unasked = new Map<string, CertificatePair>()
  private round = 0

  constructor(private readonly parts: SelfCheckParts) {}

  /** From now on these are to be shown. What is being asked at the moment is asked again, with the next `ask`. */
  expect(pairs: readonly CertificatePair[]): void {
    this.round++
    const before = this.inUse
    this.inUse = new Map(pairs.map((pair) => [pair.host, pair]))
    for (const host of this.unasked.keys()) if (!this.inUse.has(host)) this.unasked.delete(host)
    for (const [host, pair] of this.inUse) {
      if (before.get(host)?.certificate !== pair.certificate) this.unasked.set(host, pair)
    }
  }

  /** One handshake for each host whose certificate is new, one after the other, so that visitors come in between. */
  async ask(): Promise<void> {
    const round = ++this.round
    let shown = 0
    for (const [host, pair] of this.unasked) {
      const fault = await shownFault(pair, this.parts.address)
      if (round !== this.round) return
      this.unasked.delete(host)
      if (fault === null) shown++
      else this.say(pair, fault)
    }
    if (shown > 0) this.parts.log.info('The box was asked for its new certificates, and shows them.', { names: shown })
  }

  /** Says nothing more. */
  stop(): void {
    this.round++
  }

  private say({ host }: CertificatePair, fault: string): void {
    this.parts.log.error(
      `Visitors of https://${host} may be shown a wrong certificate: asked for its own, the box ${fault}. See that no other program listens on port ${this.parts.address.port}, and restart the service.`,
      { host },
    )
  }
}

/** Why the host is not shown this certificate; `null`: it is. */
async function shownFault({ host, certificate }: CertificatePair, address: SelfCheckParts['address']) {
  const socket = connect({
    host: reachableHost(address.host),
    port: address.port,
    servername: host,
    // It is compared byte by byte; whether its issuer is trusted here does not matter.
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

/** `null` once the handshake is done; else why it is not. */
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
