import { rootCertificates } from 'node:tls'
import type { NodemailerError } from 'nodemailer'
import SmtpConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import { connectionFault } from '../../lib/exchange.ts'
import type { RecentMap } from '../../lib/recent-map.ts'
import { type Attempt, boundedExchange } from '../outbox.ts'
import { encodedMail, type Mail } from './mail.ts'
import type { MailLogin, MailServer } from './mail-server.ts'

/** Recipients that messages have reached, by `messageId address`. */
type ReachedRecipients = RecentMap<true>

interface SendOptions {
  /** Kept between tries, so that nobody gets a message twice. */
  reached?: ReachedRecipients
  limits?: MailLimits
}

/** The outcome of one attempt at a mail. */
interface MailAttempt extends Attempt {
  /** The attempt failed, but the server may have the mail: the connection ended before its answer. */
  mayHaveArrived: boolean
  /** The server refused the mail for good. */
  isRefused: boolean
}

/**
 * Hands one mail over to the mail server, on a connection of its own. Never rejects: whatever goes wrong is the
 * attempt's `error`. If the server accepted the mail for one recipient and refused another for good, the attempt is
 * `delivered`, and its `error` names the address to correct.
 */
export async function sendMail(mail: Mail, server: MailServer, options: SendOptions = {}): Promise<MailAttempt> {
  const { reached, limits = mailLimits } = options
  const exchange = new SmtpExchange(server.login)
  const marks = mail.to.map(({ address }) => ({ address, mark: `${mail.messageId} ${address}` }))
  const remaining = marks.filter(({ mark }) => reached?.get(mark) !== true).map(({ address }) => address)
  const dialogue = new SmtpDialogue(server, limits, exchange)
  try {
    const message = await encodedMail(mail)
    exchange.remark(`${message.length} bytes to ${remaining.join(', ') || 'nobody left to send to'}`)
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

/** An earlier try was accepted without the outcome being stored. */
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
    const error = `${host}:${port} has not accepted ${names} yet; it is retried for them alone.`
    return { outcome: 'failed', status, error, retryAfterMs: null }
  }
  const error = names === '' ? null : `Accepted, but refused for good for ${names}; correct the address in \`to\`.`
  return { outcome: 'delivered', status, error, retryAfterMs: null }
}

/** Logs in to the mail server without sending anything; `null`: it would accept mail, else why not. */
export async function checkMailServer(server: MailServer, limits: MailLimits): Promise<string | null> {
  const exchange = new SmtpExchange(server.login)
  const dialogue = new SmtpDialogue(server, limits, exchange)
  try {
    await dialogue.begin()
    return null
  } catch (error) {
    return exchange.redacted(smtpFailure(error as NodemailerError, server))
  } finally {
    dialogue.end()
  }
}

/** How long a mail server may take. */
interface MailLimits {
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
class SmtpDialogue {
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

/** One step of the dialogue, as nodemailer logs it. `tnx` names the side that spoke. */
interface Step {
  tnx?: string
  remoteAddress?: string
  remotePort?: number
}

/** A line of the dialogue longer than this is cut: RFC 5321 section 4.5.3.1.5 allows a reply 512 bytes. */
const lineCharactersMax = 1000
const hidden = '…'

/**
 * The SMTP dialogue as it happens, for people: `<` marks the server's words, `>` the box's, `*` a note. Whatever
 * authenticates the box is left out: everything sent after AUTH, challenges, and the password wherever a server repeats
 * it.
 */
class SmtpExchange {
  private readonly lines: string[] = []
  private isLoggingIn = false
  /** The server asked for the message: from now on it may have it, whatever it says. */
  hasMessageBegun = false

  private readonly secrets: readonly string[]

  constructor(login: MailLogin | null) {
    this.secrets = login === null ? [] : secretsOf(login)
  }

  /** The logger that nodemailer gets. */
  get logger() {
    const note = (step: Step, text: string) => this.note(step, text)
    const ignore = () => undefined
    return { trace: ignore, debug: note, info: note, warn: ignore, error: ignore, fatal: ignore }
  }

  loggingIn(isLoggingIn: boolean): void {
    this.isLoggingIn = isLoggingIn
  }

  remark(text: string): void {
    this.add('*', text)
  }

  get text(): string {
    return boundedExchange(this.lines.join('\n'))
  }

  /** The text without the password, plain or encoded as for AUTH. */
  redacted(text: string): string {
    return this.secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden), text)
  }

  private note(step: Step, text: string): void {
    if (step.tnx === 'client') this.add('>', this.isLoggingIn ? withoutProof(text) : text)
    else if (step.tnx === 'server') this.heard(text)
    else if (step.tnx === 'network' && step.remoteAddress !== undefined)
      this.remark(`Connected to ${step.remoteAddress}, port ${step.remotePort}`)
  }

  private heard(text: string): void {
    if (text.startsWith('354')) this.hasMessageBegun = true
    this.add('<', this.isLoggingIn ? text.replace(/^334[ -].*/s, `334 ${hidden}`) : text)
  }

  private add(mark: string, text: string): void {
    for (const line of this.redacted(text).split(/\r?\n/))
      this.lines.push(`${mark} ${line.slice(0, lineCharactersMax)}`)
  }
}

/** As AUTH PLAIN and AUTH LOGIN send it (RFC 4616), the longest first. */
const secretsOf = ({ user, password }: MailLogin): string[] => [
  inBase64(`\0${user}\0${password}`),
  inBase64(password),
  password,
]

const inBase64 = (text: string): string => Buffer.from(text).toString('base64')

/** `AUTH PLAIN AGJveAB…` → `AUTH PLAIN …`; continuation lines of a login contain nothing else. */
function withoutProof(line: string): string {
  const [, mechanism, proof] = /^(AUTH [A-Z0-9_-]+)( .*)?$/.exec(line) ?? []
  if (mechanism === undefined) return hidden
  return proof === undefined ? mechanism : `${mechanism} ${hidden}`
}

/** Characters kept of a server's own words: as many as fit into a list. */
const replyCharactersMax = 300

/** Why a mail was not accepted, in one sentence that says what to do. */
function smtpFailure(error: NodemailerError, server: MailServer): string {
  const at = `${server.host}:${server.port}`
  const words = error.response === undefined ? '' : ` (${replyText(error.response)})`
  const { code, command = '' } = error
  if (code === 'EDNS') return `The mail server ${server.host} is unknown to DNS; check mail.host.`
  if (code === 'EAUTH') return authFailure(error, server, words)
  if (command.startsWith('STARTTLS') && error.responseCode !== undefined)
    return `${at} offers no encryption by STARTTLS${words}; set mail.security to "tls" if the server has port 465, or name another server.`
  if (code === 'ETIMEDOUT')
    return `${at} did not answer in time; check mail.host and mail.port, and that nothing between blocks the port.`
  if (command === 'MAIL FROM')
    return `${at} does not accept mail from ${server.from.address}${words}; set mail.from to an address that it lets you use.`
  if (command === 'RCPT TO') return recipientFailure(error, at)
  if (command === 'DATA' || code === 'EMESSAGE') return `${at} did not accept the message${words}; ${again(error)}`
  if (error.responseCode !== undefined) return `${at} refused${words}; ${again(error)}`
  return connectionFailure(error, at)
}

/** What a server said of one recipient. */
const refusedRecipient = (error: NodemailerError): string =>
  `${error.recipient ?? 'a recipient'} (${replyText(error.response ?? '')})`

function authFailure(error: NodemailerError, server: MailServer, words: string): string {
  const at = `${server.host}:${server.port}`
  if (error.responseCode !== undefined && server.login !== null)
    return `${at} refused the login as ${server.login.user}${words}; check mail.user and mail.password.`
  return `${at} accepts no login by password; check mail.port and mail.user.`
}

function recipientFailure({ rejectedErrors = [], ...error }: NodemailerError, at: string): string {
  const refused = rejectedErrors.length > 0 ? rejectedErrors : [error as NodemailerError]
  const isForGood = refused.every(({ permanent }) => permanent === true)
  const advice = isForGood ? 'correct the address in `to`, or ask the mail server’s operator' : 'it is tried again'
  return `${at} did not accept ${refused.map(refusedRecipient).join(', ')}; ${advice}.`
}

const again = ({ permanent }: NodemailerError): string =>
  permanent === true ? 'ask the mail server’s operator why.' : 'it is tried again.'

function connectionFailure(error: NodemailerError, at: string): string {
  const fault = connectionFault(Object.assign(new Error(), { code: error.originalCode ?? error.code }))
  if (fault?.includes('authority') === true) return `${at}: ${fault}; name the authority’s file in mail.ca_file.`
  if (fault?.includes('certificate') === true) return `${at}: ${fault}; check mail.host.`
  if (fault !== null) return `${at}: ${fault}; check mail.host, mail.port and mail.security.`
  return `${at} closed the connection before it had accepted the message; it is retried.`
}

/** One line without control characters. */
const replyText = (reply: string): string =>
  reply
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, replyCharactersMax)
