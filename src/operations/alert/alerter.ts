import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { CheckResult } from '../check-result.ts'
import type { SendMessage } from './alert-channels.ts'
import { alertMessage } from './alert-message.ts'
import {
  type AlertChannel,
  type AlertState,
  afterFailure,
  afterSending,
  type ChannelState,
  isDue,
  newChannel,
  newsFor,
  problemsFor,
} from './alert-news.ts'

/** Keeps what was said, so that a restart says nothing twice. */
export interface AlertNote {
  read(): AlertState
  write(state: AlertState): void
}

/** What needs attention, of all that might, or of what this node of a cluster has to say. */
export interface Attended {
  found: readonly CheckResult[]
  /** Of which identities `found` speaks. Others are as they were. */
  covers: (identity: string) => boolean
}

interface AlerterParts {
  /** Those that `[alerts]` names. */
  senders: Partial<Record<AlertChannel, SendMessage>>
  /** Which box speaks. */
  speaker: Parameters<typeof alertMessage>[1]
  /** What needs attention now; `null`: that is not known. */
  problems: () => Promise<Attended | null>
  note: AlertNote
  clock: Pick<Clock, 'now'>
  log: Pick<Log, 'warn'>
}

/** Says what begins to need attention and what no longer does, by each channel, which may fail by itself. */
export class Alerter {
  /** Since when a channel has had something to say. A restart gathers anew. */
  private readonly newsSince = new Map<AlertChannel, number>()

  constructor(private readonly parts: AlerterParts) {}

  async turn(): Promise<void> {
    const attended = await this.parts.problems()
    if (attended === null) return
    for (const [channel, send] of Object.entries(this.parts.senders) as [AlertChannel, SendMessage][])
      await this.tell(channel, send, attended)
  }

  private async tell(channel: AlertChannel, send: SendMessage, { found, covers }: Attended): Promise<void> {
    const { note, clock, log, speaker } = this.parts
    const state = note.read()[channel] ?? newChannel
    const problems = problemsFor(channel, found)
    const news = newsFor(state, problems, covers)
    if (news === null) {
      this.newsSince.delete(channel)
      return
    }
    const now = clock.now()
    const newsSince = this.newsSince.get(channel) ?? now
    this.newsSince.set(channel, newsSince)
    if (!isDue(state, { newsSince, now })) return
    const { outcome, error } = await send(alertMessage(news, speaker, newsSince))
    if (outcome === 'delivered') this.newsSince.delete(channel)
    else log.warn('An alert could not be sent; retrying.', { channel, error })
    const isSent = outcome === 'delivered'
    this.keep(
      channel,
      isSent
        ? afterSending(state, { problems, covers, now })
        : afterFailure(state, error ?? 'It was not accepted.', now),
    )
  }

  private keep(channel: AlertChannel, state: ChannelState): void {
    const { note } = this.parts
    note.write({ ...note.read(), [channel]: state })
  }
}
