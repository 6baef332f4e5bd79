import { showsAddress } from '../../capture/click-token.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { clickLinks, type LinkedMail, linkHost } from './click-links.ts'

export interface SignedLink {
  account: string
  url: string
  destination: string
  domain: string
}

/**
 * Signs one click link. By default the link is on the destination's host, if that is a connected domain.
 *
 * @throws OperatorError when there is no such account or domain, or the redirect would refuse the destination
 */
export async function signLink(
  box: Pick<Box, 'accounts' | 'signingKeys' | 'config' | 'clock'>,
  { destination, ...mail }: LinkedMail & { destination: string },
): Promise<SignedLink> {
  const account = await accountNamed(box.accounts, mail.account)
  const host = linkHost(account, mail.domain, URL.parse(destination)?.hostname)
  const links = await clickLinks(box, account, { ...mail, host })
  if (!links.allows(destination)) throw refusedDestination(destination, host, links.previewHost)
  if (showsAddress(destination)) throw readableAddress()
  const url = links.to(destination)
  if (url === null) throw new OperatorError('The link would be longer than 2,000 characters: shorten its destination.')
  return { account: account.handle, url, destination: new URL(destination).href, domain: host }
}

const readableAddress = (): OperatorError =>
  new OperatorError(
    'The destination contains an e-mail address, which the link would reveal. Leave it out of --to and name the recipient with --email: the link then contains only an opaque id.',
  )

const refusedDestination = (destination: string, host: string, previewHost: string): OperatorError =>
  new OperatorError(
    `A click link on ${host} would refuse to lead to ${destination}: it leads only to http or https addresses on ${host} or ${previewHost}, without user name, password and spaces (write %20).`,
  )
