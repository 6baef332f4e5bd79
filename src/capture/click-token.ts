import { type SigningKey, type SigningKeys, signingKeyIdPattern } from '../account/signing-key.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { sign, verifies } from '../lib/sign.ts'
import { decodedText } from './url/decoded-text.ts'
import { holdsEmail } from './url/email-in-text.ts'

/** What a click link says of the mail it was sent in (contract section 4, "Click token"). */
export interface ClickLink {
  /** The sender's id of the mail; `null`: none was given. */
  message: string | null
  /** As `recipientId` makes it; `null`: the link was signed for nobody in particular. */
  recipient: string | null
  /** When the mailing was sent, epoch milliseconds. */
  sentAt: number
  /** As the URL parser writes it. */
  destination: string
}

/** Contract section 4, "Click token". */
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

/** What the token says, if this box signed it for this account with a key that still verifies; else `null`. */
export function verifyClickToken(
  token: string,
  { accountId, keys, now }: { accountId: string; keys: SigningKeys; now: number },
): ClickLink | null {
  if (token.length > clickTokenCharactersMax) return null
  const [, content, mac, keyId] = tokenPattern.exec(token) ?? []
  if (content === undefined || mac === undefined || keyId === undefined) return null
  const key = keys.verifying('click', keyId, now)
  return key !== null && verifies(key.secret, signedText(accountId, content), mac) ? decode(content) : null
}

/**
 * Whether an e-mail address can be read out of a destination, at any depth of encoding: a link to it would show the
 * address to whoever holds the link (contract section 4, "Click token").
 */
export function showsAddress(destination: string): boolean {
  const text = decodedText(destination)
  return text === null || holdsEmail(text)
}

const messagePattern = /^[A-Za-z0-9][A-Za-z0-9._:+=-]{0,99}$/

/**
 * The sender's id of a mail, as an operator gives it. It can be read out of the token by whoever holds the link, which
 * is why nothing with an `@` is let in.
 *
 * @throws OperatorError when it is none.
 */
export function messageId(text: string): string {
  if (messagePattern.test(text)) return text
  throw new OperatorError(
    'A message id is 1 to 100 of A-Z, a-z, 0-9 and . _ : + = -, beginning with a letter or digit: it can be read in the link, so that no e-mail address may stand in it.',
    2,
  )
}

const tokenPattern = new RegExp(`^1\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]{43})\\.(${signingKeyIdPattern})$`)

type Content = [sentAt: number, message: string | null, recipient: string | null, destination: string]

const encode = (content: Content): string => Buffer.from(JSON.stringify(content)).toString('base64url')

/** Read only after its MAC was found to be ours: it is what `encode` wrote. */
function decode(content: string): ClickLink {
  const [sentAt, message, recipient, destination]: Content = JSON.parse(Buffer.from(content, 'base64url').toString())
  return { message, recipient, sentAt, destination }
}

const signedText = (accountId: string, content: string): string => `click 1\n${accountId}\n${content}`
