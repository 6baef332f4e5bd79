import { Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { clickDestinationAllowed } from '../../capture/click-destination.ts'
import { messageId, showsAddress, signClickToken } from '../../capture/click-token.ts'
import { type RewrittenMail, rewriteLinks } from '../../capture/link-rewrite.ts'
import { recipientId } from '../../capture/recipient-id.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import { count, text } from '../../lib/schema.ts'
import { nearest } from '../../lib/suggestion.ts'
import { accountNamed } from '../account/account-named.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'
import { deadDestinations, type LinkWarning } from './dead-destination.ts'

/** The mail of click links, as somebody typed it. */
export interface TypedMail {
  account: string
  email?: string | undefined
  message?: string | undefined
  domain?: string | undefined
}

/** Makes the error that refuses a part; the caller knows what the part is called there. */
type Refused = (part: 'email' | 'domain', expected: string, typed: string) => Error

/** @throws what `refused` makes, for an address or domain that is none */
export const typedMail = (
  { account, email, message, domain }: TypedMail,
  refused: Refused = refusedPart,
): LinkedMail => ({
  account,
  email: email === undefined ? null : typedEmail(email, refused),
  message: message ?? null,
  domain: domain === undefined ? null : typedDomain(domain, refused),
})

function typedEmail(typed: string, refused: Refused): string {
  const email = identityEmail(typed)
  if (email !== null) return email
  throw refused('email', 'an email address', typed)
}

function typedDomain(typed: string, refused: Refused): string {
  const reading = readHostname(typed)
  if ('value' in reading) return reading.value
  throw refused('domain', reading.expected, typed)
}

const refusedPart: Refused = (part, expected, typed) =>
  new OperatorError(`The ${part === 'email' ? "recipient's address" : 'domain'} has to be ${expected}, not "${typed}".`)

export interface SignedLink {
  account: string
  url: string
  destination: string
  domain: string
  warnings: LinkWarning[]
}

type LinkBox = Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'>

/**
 * Signs one click link. By default the link is on the destination's host, if that is a connected domain.
 *
 * @throws OperatorError when there is no such account or domain, or the redirect would refuse the destination
 */
export async function signLink(
  box: LinkBox,
  { destination, ...mail }: LinkedMail & { destination: string },
): Promise<SignedLink> {
  const account = await accountNamed(box.accounts, mail.account)
  const host = linkHost(account, mail.domain, URL.parse(destination)?.hostname)
  const links = await clickLinks(box, account, { ...mail, host })
  if (!links.allows(destination)) throw refusedDestination(destination, host, links.previewHost)
  if (showsAddress(destination)) throw readableAddress()
  const url = links.to(destination)
  if (url === null) throw new OperatorError('The link would be longer than 2,000 characters: shorten its destination.')
  const warningsOf = await deadDestinations(box, account)
  const { href } = new URL(destination)
  const warnings = warningsOf(href, { file: null, line: null })
  return { account: account.handle, url, destination: href, domain: host, warnings }
}

const readableAddress = (): OperatorError =>
  new OperatorError(
    'The destination contains an email address, which the link would reveal. Leave it out of --to and name the recipient with --email: the link then contains only an opaque id.',
  )

const refusedDestination = (destination: string, host: string, previewHost: string): OperatorError =>
  new OperatorError(
    `A click link on ${host} would refuse to lead to ${destination}: it leads only to http or https addresses on ${host} or ${previewHost}, without user name, password and spaces (write %20).`,
  )

/** Mail programs truncate far smaller mails. */
export const mailBytesMax = 2 * 1024 * 1024
/** Far more than a newsletter has. Rewriting so many takes some twenty milliseconds, in which the console does nothing else. */
const mailLinksMax = 2000

export interface ClickLinkedMail extends Pick<RewrittenMail, 'left' | 'html'> {
  account: string
  domain: string
  /** The number of rewritten links. */
  signed: number
  warnings: LinkWarning[]
}

/**
 * Replaces the links of a mail by click links.
 *
 * @param file the mail's name, for warnings; `null`: it has none
 * @throws OperatorError when there is no such account or domain, or the mail has too many links
 */
export async function rewriteMail(
  box: LinkBox,
  { html: mailed, file, ...mail }: LinkedMail & { html: string; file: string | null },
): Promise<ClickLinkedMail> {
  if ([...mailed.matchAll(linkTag)].length > mailLinksMax)
    throw new UnfitInput(`The mail has more than ${plural(mailLinksMax, 'link')}. Shorten it, or rewrite it in parts.`)
  const account = await accountNamed(box.accounts, mail.account)
  const host = linkHost(account, mail.domain)
  const links = await clickLinks(box, account, { ...mail, host })
  const rewriting = { servedHost: host, previewHost: links.previewHost, clickLink: links.to }
  const { html, changed, left } = rewriteLinks(mailed, rewriting)
  const warningsOf = await deadDestinations(box, account)
  const warnings = changed.flatMap(({ destination, line }) => warningsOf(destination, { file, line }))
  return { account: account.handle, domain: host, signed: changed.length, left, warnings, html }
}

/** Counts those in comments too, whose links are listed. */
const linkTag = /<a(?:rea)?[\s/>]/gi

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
interface ClickLinks {
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
function linkHost({ handle, settings }: StoredAccount, domain: string | null, preferred?: string): string {
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

export const rejudgeClicks = defineAct({
  name: 'clicks.rejudge',
  text: "Apply today's verdict rules to stored clicks",
  of: 'account',
  scope: 'admin',
  input: Type.Object({}),
  answer: Type.Object({
    account: text,
    clicks: count,
    changed: Type.Array(Type.Object({ from: text, to: text, clicks: count })),
  }),
  async run(
    box: Pick<Box, 'accounts' | 'processing' | 'rejudging'>,
    { account: handle },
    { onNotice }: { onNotice: OnRecordNotice },
  ) {
    const account = await accountCaughtUp(box, handle, onNotice)
    const rejudging = await box.rejudging()
    return { answer: { account: account.handle, ...(await rejudging.rejudge(account.id)) } }
  },
})
