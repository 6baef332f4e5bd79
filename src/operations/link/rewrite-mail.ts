import { type RewrittenMail, rewriteLinks } from '../../capture/link-rewrite.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { count } from '../../lib/quantities.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { clickLinks, type LinkedMail, linkHost } from './click-links.ts'

/** Mail programs truncate far smaller mails. */
export const mailBytesMax = 2 * 1024 * 1024
/** Far more than a newsletter has. Rewriting so many takes some twenty milliseconds, in which the console does nothing else. */
export const mailLinksMax = 2000

export interface ClickLinkedMail extends RewrittenMail {
  account: string
  domain: string
  /** The number of rewritten links. */
  signed: number
}

/**
 * Replaces the links of a mail by click links.
 *
 * @throws OperatorError when there is no such account or domain, or the mail has too many links
 */
export async function rewriteMail(
  box: Pick<Box, 'accounts' | 'signingKeys' | 'config' | 'clock'>,
  { html: mailed, ...mail }: LinkedMail & { html: string },
): Promise<ClickLinkedMail> {
  if ([...mailed.matchAll(linkTag)].length > mailLinksMax)
    throw new OperatorError(
      `The mail has more than ${count(mailLinksMax)} links. Shorten it, or rewrite it in parts.`,
      2,
    )
  const account = await accountNamed(box.accounts, mail.account)
  const host = linkHost(account, mail.domain)
  const links = await clickLinks(box, account, { ...mail, host })
  let signed = 0
  const clickLink = (destination: string): string | null => {
    const link = links.to(destination)
    if (link !== null) signed++
    return link
  }
  const { html, left } = rewriteLinks(mailed, { servedHost: host, previewHost: links.previewHost, clickLink })
  return { account: account.handle, domain: host, signed, left, html }
}

/** Counts those in comments too, whose links are listed. */
const linkTag = /<a(?:rea)?[\s/>]/gi
