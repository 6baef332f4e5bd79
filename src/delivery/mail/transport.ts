import type { NodemailerError } from 'nodemailer'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import type { RecentMap } from '../../lib/recent-map.ts'
import type { Attempt } from '../attempt.ts'
import type { Mail } from './mail.ts'
import type { MailServer } from './mail-server.ts'
import { encodedMail } from './mime.ts'
import { type MailLimits, mailLimits, SmtpDialogue } from './smtp-dialogue.ts'
import { SmtpExchange } from './smtp-exchange.ts'
import { refusedRecipient, smtpFailure } from './smtp-failure.ts'

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
