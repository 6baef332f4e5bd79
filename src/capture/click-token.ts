import { type SigningKey, type SigningKeys, signingKeyIdPattern } from '../account/signing-key.ts'
import { UnfitInput } from '../lib/operator-error.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { sign, verifies } from '../lib/sign.ts'
import { decodedText } from './url/decoded-text.ts'
import { holdsEmail } from './url/email-in-text.ts'

/** The mail described by a click link (docs/links-in-email.md). */
export interface ClickLink {
  /** The sender's id of the mail; `null`: none was given. */
  message: string | null
  /** The result of `recipientId`; `null`: the link has no recipient. */
  recipient: string | null
  /** When the mailing was sent, epoch milliseconds. */
  sentAt: number
  /** As the URL parser writes it. */
  destination: string
}

/** What a link may have (docs/links-in-email.md). */
export const clickTokenCharactersMax = 2000

/**
 * A token for a link of the account: `1.<content>.<mac>.<key id>`, where 1 is the format's version. It ends in a letter
 * or digit, since programs that find links in plain text leave out a `-` or `_` at the end.
 *
 * `null`: with its destination it would be longer than `clickTokenCharactersMax`. The destination must be one that
 * `allowedClickDestination` lets through.
 */
export function signClickToken(link: ClickLink, accountId: string, key: SigningKey): string | null {
  const { message, recipient, sentAt } = link
  const content = encode([sentAt, message, recipient, new URL(link.destination).href])
  const token = `1.${content}.${sign(key.secret, signedText(accountId, content))}.${key.id}`
  return token.length <= clickTokenCharactersMax ? token : null
}

/** The token's content, if this box signed it for this account with a key that still verifies; else `null`. */
export function verifyClickToken(
  token: string,
  { accountId, keys, now }: { accountId: string; keys: SigningKeys; now: number },
  verified?: VerifiedLinks,
): ClickLink | null {
  if (token.length > clickTokenCharactersMax) return null
  const known = verified?.get(token)
  // A key's secret never changes, but it may have stopped verifying since.
  if (known?.accountId === accountId)
    return keys.verifying('click', known.keyId, { accountId, now }) === null ? null : known.link
  const [, content, mac, keyId] = tokenPattern.exec(token) ?? []
  if (content === undefined || mac === undefined || keyId === undefined) return null
  const key = keys.verifying('click', keyId, { accountId, now })
  if (key === null || !verifies(key.secret, signedText(accountId, content), mac)) return null
  const link = decode(content)
  verified?.set(token, { accountId, keyId, link })
  return link
}

interface VerifiedLink {
  accountId: string
  keyId: string
  link: ClickLink
}

/** Links remembered in each of two generations: with the longest tokens, 5 MB when both are full. */
const rememberedMax = 500

/**
 * Links whose MAC was verified, by token. A link without a recipient is the same in every copy of a mailing, and mail scanners
 * follow a link some moments before its reader does.
 */
export class VerifiedLinks extends RecentMap<VerifiedLink> {
  constructor() {
    super(rememberedMax)
  }
}

/**
 * Whether a destination contains an email address at any depth of encoding, which the link would reveal.
 */
export function showsAddress(destination: string): boolean {
  const text = decodedText(destination)
  return text === null || holdsEmail(text)
}

const messagePattern = /^[A-Za-z0-9][A-Za-z0-9._:+=-]{0,99}$/

/**
 * The sender's id of a mail, from the operator. Anyone can read it in the link, so `@` is not allowed.
 *
 * @throws UnfitInput when it is none.
 */
export function messageId(text: string): string {
  if (messagePattern.test(text)) return text
  throw new UnfitInput(
    'A message id is 1 to 100 of A-Z, a-z, 0-9 and . _ : + = -, beginning with a letter or digit: it is readable in the link, so it must not contain an email address.',
  )
}

const tokenPattern = new RegExp(`^1\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]{43})\\.(${signingKeyIdPattern})$`)

type Content = [sentAt: number, message: string | null, recipient: string | null, destination: string]

const encode = (content: Content): string => Buffer.from(JSON.stringify(content)).toString('base64url')

/** Decodes only after the MAC is verified, so the content was written by `encode`. */
function decode(content: string): ClickLink {
  const [sentAt, message, recipient, destination]: Content = JSON.parse(Buffer.from(content, 'base64url').toString())
  return { message, recipient, sentAt, destination }
}

const signedText = (accountId: string, content: string): string => `click 1\n${accountId}\n${content}`
