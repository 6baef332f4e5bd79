import type { StoredAccount } from '../../account/account.ts'
import { clickDestinationAllowed } from '../../capture/click-destination.ts'
import { messageId, signClickToken } from '../../capture/click-token.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/suggestion.ts'
import type { Box } from '../box.ts'

/** The mail that will contain the click links. */
export interface LinkedMail {
  account: string
  /** The recipient's address in the form of `identityEmail`; `null`: unknown. */
  email: string | null
  /** The sender's own id of the mail; `null`: none. */
  message: string | null
  /** The links' connected domain, as a host name; `null`: chosen automatically. */
  domain: string | null
}

/** Signs links on one connected domain for one mail. */
export interface ClickLinks {
  host: string
  previewHost: string
  /** Whether the redirect would let the destination through. */
  allows(destination: string): boolean
  /** The click link; `null`: too long. */
  to(destination: string): string | null
}

/** Signs links with the present as the time of sending. @param host the connected domain of the links */
export async function clickLinks(
  { signingKeys, config, clock }: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  account: StoredAccount,
  { host, ...mail }: { host: string } & Pick<LinkedMail, 'email' | 'message'>,
): Promise<ClickLinks> {
  const key = (await signingKeys.read()).current('click')
  const message = mail.message === null ? null : messageId(mail.message)
  const recipient = mail.email === null ? null : recipientId(account.id, mail.email, key)
  const base = `${publicBase(config, host)}/_svc/c/`
  const sentAt = clock.now()
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

/** The requested connected domain, else the preferred one if the account has it, else its first. */
export function linkHost({ handle, settings }: StoredAccount, domain: string | null, preferred?: string): string {
  const { domains } = settings
  if (domain === null) {
    const host = domains.find((connected) => connected === preferred) ?? domains[0]
    if (host !== undefined) return host
    throw new OperatorError(`${handle} has no connected domain that a link could be on.`)
  }
  if (domains.includes(domain)) return domain
  const meant = nearest(domain, domains)
  throw new OperatorError(
    `${domain} is not a connected domain of ${handle}. ${meant === null ? `It has: ${domains.join(', ')}.` : `Did you mean ${meant}?`}`,
  )
}
