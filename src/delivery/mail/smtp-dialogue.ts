import { rootCertificates } from 'node:tls'
import type { NodemailerError } from 'nodemailer'
import SmtpConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import type { MailServer } from './mail-server.ts'
import type { SmtpExchange } from './smtp-exchange.ts'

/** How long a mail server may take. */
export interface MailLimits {
  /** From looking up its name to the end of the TLS handshake. */
  connectMs: number
  /** Between two replies. */
  silenceMs: number
  /** For the whole attempt. */
  totalMs: number
}

export const mailLimits: MailLimits = { connectMs: 20_000, silenceMs: 60_000, totalMs: 180_000 }

/** How long a server may take to answer QUIT; the message is already delivered. */
const quitMs = 2000
const replyBytesMax = 65_536

/**
 * One connection, from the lookup to QUIT. Its steps reject with whatever ends the connection, or when the attempt's
 * time is over.
 */
export class SmtpDialogue {
  private readonly connection: SmtpConnection
  private readonly ended: Promise<never>
  private readonly deadline: ReturnType<typeof setTimeout>

  constructor(
    private readonly server: MailServer,
    limits: MailLimits,
    private readonly exchange: SmtpExchange,
  ) {
    this.connection = new SmtpConnection(connectionOptions(server, limits, exchange))
    const { promise, reject } = Promise.withResolvers<never>()
    // Nobody waits for late errors of a finished connection, and they must not end the process.
    promise.catch(() => undefined)
    this.ended = promise
    this.connection.on('error', reject)
    this.deadline = setTimeout(() => {
      reject(Object.assign(new Error('The whole attempt took too long'), { code: 'ETIMEDOUT' }))
      this.connection.close()
    }, limits.totalMs)
  }

  /** Connects, encrypts as configured, and logs in. */
  async begin(): Promise<void> {
    await this.step<void>((done) => this.connection.connect((error) => done(error ?? null)))
    if (this.server.login !== null) await this.login(this.server.login)
  }

  async send(message: Buffer, to: string[]): Promise<SMTPConnectionSendInfo> {
    await this.begin()
    const envelope = { from: this.server.from.address, to, size: message.length }
    return this.step<SMTPConnectionSendInfo>((done) => this.connection.send(envelope, message, done))
  }

  end(): void {
    clearTimeout(this.deadline)
    const isOpen = this.connection.stage === 'connected' && !this.connection.destroyed
    if (isOpen) this.connection.quit()
    setTimeout(() => this.connection.close(), isOpen ? quitMs : 0).unref()
  }

  private async login({ user, password }: { user: string; password: string }): Promise<void> {
    this.exchange.loggingIn(true)
    try {
      await this.step((done) => this.connection.login({ user, pass: password }, done))
    } finally {
      this.exchange.loggingIn(false)
    }
  }

  private step<T>(start: (done: (error: NodemailerError | null, result?: T) => void) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    start((error, result) => (error === null ? resolve(result as T) : reject(error)))
    return Promise.race([promise, this.ended])
  }
}

function connectionOptions({ host, port, security, ca }: MailServer, limits: MailLimits, exchange: SmtpExchange) {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { rejectUnauthorized: true, ...(ca === null ? {} : { ca: [...rootCertificates, ca] }) },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
    maxResponseSize: replyBytesMax,
    logger: exchange.logger,
    transactionLog: true,
  }
}
