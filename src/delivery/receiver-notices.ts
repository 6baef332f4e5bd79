import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { MailServer } from './mail/mail-server.ts'
import { sendMail } from './mail/transport.ts'
import { type NoticeKey, type ReceiverNotice, receiversMail } from './receivers-mail.ts'
import { nextAttemptAt } from './schedule.ts'

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
