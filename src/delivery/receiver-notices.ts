import { english } from '../language/locale.ts'
import type { Clock } from '../lib/clock.ts'
import { html } from '../lib/html.ts'
import type { Log } from '../lib/log.ts'
import type { MailAddress } from '../lib/mail-address.ts'
import { capturedLine } from './lead.ts'
import type { Mail } from './mail/mail.ts'
import { mailDocument, mailStyles as style } from './mail/mail-document.ts'
import type { MailServer } from './mail/mail-server.ts'
import { sendMail } from './mail/transport.ts'
import { nextAttemptAt } from './outbox.ts'

/**
 * Whom to tell.
 *
 * Guarantees: notices are written in the transaction that publishes, and stay until they are sent, whatever is killed. Nobody is
 * told of what is over a week old, of a removed account, or once they are no longer an admin or owner.
 */
export interface ReceiverNoticeStore {
  /** Those to be sent now, a few at a time. */
  due(now: number): ReceiverNotice[]
  /** It is not sent any more. */
  drop(key: NoticeKey): void
  postpone(key: NoticeKey, nextAt: number): void
}

interface ReceiverNoticesParts {
  notices: ReceiverNoticeStore
  mailServer: MailServer
  clock: Pick<Clock, 'now'>
  /** In the range [0, 1). */
  random: () => number
  log: Log
}

/** Mails the admins of an account and the owners of the box when what visitors enter goes somewhere new. */
export class ReceiverNotices {
  private isStopping = false

  constructor(private readonly parts: ReceiverNoticesParts) {}

  /** Sends what is due, one mail after the other. */
  async turn(): Promise<void> {
    const { notices, clock } = this.parts
    for (const notice of notices.due(clock.now())) {
      if (this.isStopping) return
      await this.send(notice)
    }
  }

  /** Begins nothing more and stores no more outcomes: a mail under way is sent again after the next start. */
  stop(): void {
    this.isStopping = true
  }

  private async send(notice: ReceiverNotice): Promise<void> {
    const { notices, mailServer, clock, random, log } = this.parts
    const { key, accountId, attempts } = notice
    const { outcome, error, retryAfterMs } = await sendMail(receiversMail(notice, mailServer.from), mailServer)
    if (this.isStopping) return
    if (outcome === 'delivered') return notices.drop(key)
    const nextAt = nextAttemptAt({ attempts: attempts + 1, retryAfterMs, now: clock.now(), random: random() })
    log.warn('An admin could not be told by mail where visitors’ data goes; see “Needs attention” of the console.', {
      account: accountId,
      userId: key.userId,
      isRetried: nextAt !== null,
      error,
    })
    if (nextAt === null) notices.drop(key)
    else notices.postpone(key, nextAt)
  }
}

/** Storage's key of a notice; it means nothing elsewhere. */
export interface NoticeKey {
  publicationRow: number
  userId: string
}

/** What one person is to be told by mail: an apply has sent what visitors enter to new receivers. */
export interface ReceiverNotice {
  key: NoticeKey
  /** The person's address. */
  to: string
  accountId: string
  handle: string
  accountName: string
  timezone: string
  /** The account's, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** When it was published, epoch milliseconds. */
  at: number
  by: { via: 'command' | 'console' | 'api'; name: string }
  /** Who gets what, without secrets. */
  receivers: readonly string[]
  /** Failed attempts so far. */
  attempts: number
}

const nameCharactersMax = 100
const subjectCharactersMax = 150
const receiverCharactersMax = 300
/** An account has few destinations; a mail names this many of those that one apply adds. */
const receiversMax = 50

interface ReceiversLetter {
  headline: string
  intro: string
  receivers: readonly string[]
  facts: readonly (readonly [label: string, value: string])[]
  advice: string
  steps: readonly string[]
  reason: string
}

/** The mail to an admin or owner: what visitors enter goes somewhere new. The same notice makes the same mail. */
function receiversMail(notice: ReceiverNotice, { address }: MailAddress): Mail {
  const { accountId, accountName, at, key, to, colour } = notice
  const name = capturedLine(accountName, nameCharactersMax) || notice.handle
  const letter = letterOf(notice, name)
  return {
    from: { name: 'Capture', address },
    to: [{ name: null, address: to }],
    replyTo: null,
    subject: capturedLine(`${name}: visitors’ data goes somewhere new`, subjectCharactersMax),
    text: textOf(letter),
    html: htmlOf(letter, { name, colour }),
    messageId: `<receivers.${at}.${accountId}.${key.userId}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: [],
  }
}

function letterOf({ handle, at, by, timezone, receivers }: ReceiverNotice, name: string): ReceiversLetter {
  const rest = receivers.length - receiversMax
  return {
    headline: 'What visitors enter goes somewhere new',
    intro: `A folder was published to ${name} (${handle}). Since then, the box also sends there what visitors enter:`,
    receivers: [
      ...receivers.slice(0, receiversMax).map((receiver) => capturedLine(receiver, receiverCharactersMax)),
      ...(rest > 0 ? [`… and ${rest} more; the console lists them under Deliveries`] : []),
    ],
    facts: [
      ['Published', english.instant(at, timezone)],
      ['By', publisherOf(by)],
    ],
    advice: 'If you or a colleague did this, nothing is left to do. If it was none of you:',
    steps: [
      `Pause the delivery: in the console under Deliveries, or on the box with "capture delivery pause ${handle} NAME".`,
      'Have an owner end that user’s sessions (Users) or revoke that token (Tokens).',
      'Publish the folder again without it.',
    ],
    reason:
      'Sent by Capture to the admins of the account and the owners of the box, once for each publication that adds a receiver.',
  }
}

function publisherOf({ via, name }: ReceiverNotice['by']): string {
  const who = capturedLine(name, nameCharactersMax)
  return via === 'api' ? `the API token “${who}”` : `${who}, in the console`
}

const rule = '-'.repeat(40)

function textOf({ headline, intro, receivers, facts, advice, steps, reason }: ReceiversLetter): string {
  return [
    headline,
    intro,
    receivers.map((receiver) => `  ${receiver}`).join('\n'),
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    advice,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    `${rule}\n${reason}`,
    '',
  ].join('\n\n')
}

function htmlOf(letter: ReceiversLetter, { name, colour }: { name: string; colour: string | null }): string {
  const { headline, intro, receivers, facts, advice, steps, reason } = letter
  const places = receivers.map(
    (receiver) => html`<p class="ink warning" dir="auto" style="${style.warning}">${receiver}</p>`,
  )
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><td class="muted" valign="top" style="${style.factLabel}">${label}</td><td class="muted" valign="top" style="${style.factValue}">${value}</td></tr>`,
  )
  const toDo = steps.map((step, index) => html`<p class="ink" style="${style.value}">${index + 1}. ${step}</p>`)
  return mailDocument({
    language: 'en',
    title: headline,
    preview: receivers[0] ?? headline,
    kicker: name,
    colour,
    cards: [
      html`<p class="ink" style="${style.value}">${intro}</p>${places}<table role="presentation" class="facts" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style.facts}">${rows}</table>`,
      html`<p class="ink" style="${style.value}">${advice}</p>${toDo}`,
    ],
    footer: html`<p class="muted" style="${style.small}">${reason}</p>`,
  })
}
