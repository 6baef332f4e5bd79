import { rootCertificates } from 'node:tls'
import type { NodemailerError } from 'nodemailer'
import SmtpConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import type { RecentMap } from '../../lib/recent-map.ts'
import type { Attempt } from '../attempt.ts'
import type { Mail } from './mail.ts'
import type { MailServer } from './mail-server.ts'
import { encodedMail } from './mime.ts'
import { SmtpExchange } from './smtp-exchange.ts'
import { refusedRecipient, smtpFailure } from './smtp-failure.ts'

/** How long a mail server may take. */
export interface MailLimits {
  /** From the look-up of its name to the end of the TLS handshake. */
  connectMs: number
  /** Between two replies. */
  silenceMs: number
  /** For the whole attempt. */
  totalMs: number
}

export const mailLimits: MailLimits = { connectMs: 20_000, silenceMs: 60_000, totalMs: 180_000 }

/** The recipients that messages have reached, by `messageId address`. */
export type ReachedRecipients = RecentMap<true>

export interface SendOptions {
  /** Kept between tries: whoever was reached by an earlier try of a message is not sent it again. */
  reached?: ReachedRecipients
  limits?: MailLimits
}

/** What one attempt at a mail came to. */
export interface MailAttempt extends Attempt {
  /** It failed, and the server may have the mail all the same: it was cut off before it said. */
  mayHaveArrived: boolean
  /** The server refused it for good. */
  isRefused: boolean
}

/** A server that answers QUIT has this long to do so; the message is delivered by then. */
const quitMs = 2000
const replyBytesMax = 65_536

/**
 * Hands one mail over to the mail server, over a connection of its own. Never rejects: whatever goes wrong is the attempt's
 * `error`. Once the server has taken the mail for one recipient and refused another for good, the attempt is `delivered` and
 * its `error` names the address that has to be mended.
 */
export async function sendMail(mail: Mail, server: MailServer, options: SendOptions = {}): Promise<MailAttempt> {
  const { reached, limits = mailLimits } = options
  const exchange = new SmtpExchange(server.login)
  const marks = mail.to.map(({ address }) => ({ address, mark: `${mail.messageId} ${address}` }))
  const remaining = marks.filter(({ mark }) => reached?.get(mark) !== true).map(({ address }) => address)
  const dialogue = new Dialogue(server, limits, exchange)
  try {
    const message = await encodedMail(mail)
    exchange.remark(`${message.length} bytes to ${remaining.join(', ') || 'nobody who has not had it'}`)
    if (remaining.length === 0) return { ...everybodyHasIt, ...certain, exchange: exchange.text }
    const sent = await dialogue.send(message, remaining)
    for (const { address, mark } of marks) if (sent.accepted.includes(address)) reached?.set(mark, true)
    return { ...accepted(sent, server), ...certain, exchange: exchange.text }
  } catch (error) {
    const failure = error as NodemailerError
    exchange.remark(failure.message)
    const reason = exchange.redacted(smtpFailure(failure, server))
    return {
      outcome: 'failed',
      status: failure.responseCode ?? null,
      error: reason,
      retryAfterMs: null,
      exchange: exchange.text,
      mayHaveArrived: exchange.hasMessageBegun && failure.responseCode === undefined,
      isRefused: failure.permanent === true,
    }
  } finally {
    dialogue.end()
  }
}

/** It was taken before, and that was not kept. */
const everybodyHasIt: Omit<Attempt, 'exchange'> = {
  outcome: 'delivered',
  status: null,
  error: null,
  retryAfterMs: null,
}

const certain = { mayHaveArrived: false, isRefused: false }

function accepted(sent: SMTPConnectionSendInfo, { host, port }: MailServer): Omit<Attempt, 'exchange'> {
  const refused = sent.rejectedErrors ?? []
  const deferred = refused.find(({ permanent }) => permanent !== true)
  const status = deferred?.responseCode ?? (Number(sent.response.slice(0, 3)) || null)
  const names = refused.map(refusedRecipient).join(', ')
  if (deferred !== undefined) {
    const error = `${host}:${port} did not take ${names} yet; it is tried again for them alone.`
    return { outcome: 'failed', status, error, retryAfterMs: null }
  }
  const error = names === '' ? null : `Taken, but refused for good for ${names}; mend the address in \`to\`.`
  return { outcome: 'delivered', status, error, retryAfterMs: null }
}

/** One connection, from the look-up to QUIT. Its steps reject with whatever ends the connection, or the attempt's time. */
class Dialogue {
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
    // Late errors of a connection that is done with have nobody to tell, and must not end the process.
    promise.catch(() => undefined)
    this.ended = promise
    this.connection.on('error', reject)
    this.deadline = setTimeout(() => {
      reject(Object.assign(new Error('The whole attempt took too long'), { code: 'ETIMEDOUT' }))
      this.connection.close()
    }, limits.totalMs)
  }

  async send(message: Buffer, to: string[]): Promise<SMTPConnectionSendInfo> {
    await this.step<void>((done) => this.connection.connect((error) => done(error ?? null)))
    if (this.server.login !== null) await this.login(this.server.login)
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
