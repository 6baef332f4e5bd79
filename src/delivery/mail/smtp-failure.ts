import type { NodemailerError } from 'nodemailer'
import { connectionFault } from '../../lib/connection-fault.ts'
import type { MailServer } from './mail-server.ts'

/** Characters kept of a server's own words: as many as fit into a list. */
const replyCharactersMax = 300

/** Why a mail was not accepted, in one sentence that says what to do. */
export function smtpFailure(error: NodemailerError, server: MailServer): string {
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
export const refusedRecipient = (error: NodemailerError): string =>
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
