import type { StoredAccount } from '../../account/account.ts'
import { clickDestinationAllowed } from '../../capture/click-destination.ts'
import { messageId, signClickToken } from '../../capture/click-token.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import type { Config } from '../../config/config.ts'
import { publicBase } from '../../config/public-url.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/suggestion.ts'
import { usageError } from '../command.ts'
import type { CommandBox } from '../open.ts'

/** What the options of `link sign` and `link rewrite` say of the mail. */
export interface MailOptions {
  email: string | undefined
  message: string | undefined
}

export interface ClickLinking extends MailOptions {
  account: StoredAccount
  /** The connected domain that the links are on. */
  host: string
  box: Pick<CommandBox, 'signingKeys'>
  config: Config
  /** When the mailing is sent, epoch milliseconds. */
  sentAt: number
}

/** Signs links on one connected domain for one mail. */
export interface ClickLinks {
  host: string
  previewHost: string
  /** Whether the redirect would let the destination through. */
  allows(destination: string): boolean
  /** The click link; `null`: it would be too long. */
  to(destination: string): string | null
}

export async function clickLinks({ account, host, box, config, sentAt, ...mail }: ClickLinking): Promise<ClickLinks> {
  const key = (await box.signingKeys.read()).current('click')
  const email = mail.email === undefined ? null : identity(mail.email)
  const message = mail.message === undefined ? null : messageId(mail.message)
  const recipient = email === null ? null : recipientId(account.id, email, key)
  const base = `${publicBase(config, host)}/_svc/c/`
  const { previewHost } = config.server
  return {
    host,
    previewHost,
    allows: (destination) => clickDestinationAllowed(destination, host, previewHost),
    to: (destination) => {
      const token = signClickToken({ message, recipient, sentAt, destination }, account.id, key)
      return token === null ? null : base + token
    },
  }
}

/** The connected domain named by `--domain`, else the preferred one where the account has it, else its first. */
export function linkHost({ handle, settings }: StoredAccount, typed: string | undefined, preferred?: string): string {
  const { domains } = settings
  if (typed === undefined) {
    const host = domains.find((domain) => domain === preferred) ?? domains[0]
    if (host !== undefined) return host
    throw new OperatorError(`${handle} has no connected domain that a link could be on.`)
  }
  const reading = readHostname(typed)
  if ('expected' in reading) throw usageError(`--domain takes ${reading.expected}, not "${typed}".`)
  if (domains.includes(reading.hostname)) return reading.hostname
  const meant = nearest(reading.hostname, domains)
  throw new OperatorError(
    `${reading.hostname} is no connected domain of ${handle}. ${meant === null ? `It has: ${domains.join(', ')}.` : `Did you mean ${meant}?`}`,
  )
}

function identity(typed: string): string {
  const email = identityEmail(typed)
  if (email !== null) return email
  throw usageError(`--email takes an e-mail address, not "${typed}".`)
}
