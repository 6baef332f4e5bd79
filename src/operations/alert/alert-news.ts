import type { CheckResult } from '../check-result.ts'

/** How one is told: by mail, or at the `url` of `[alerts]`. Each knows for itself what it has said. */
export const alertChannels = ['mail', 'url'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** What a channel has said, across restarts. Instants in epoch milliseconds. */
export interface ChannelState {
  /** Problems that were said to have begun and not yet to have ended: what they were, by what they are known by. */
  announced: Record<string, string>
  /** When messages went out in the last hour. */
  sentAt: number[]
  /** Since when nothing goes out, and why; `null`: the latest try succeeded. */
  failure: { since: number; triedAt: number; error: string } | null
}

export type AlertState = Partial<Record<AlertChannel, ChannelState>>

export const newChannel: ChannelState = { announced: {}, sentAt: [], failure: null }

/** What a channel has to say. */
export interface AlertNews {
  begun: readonly CheckResult[]
  /** As they were said to have begun. */
  ended: readonly string[]
}

const hourMs = 3_600_000
const messagesPerHourMax = 4
/** What begins or ends within this time of the first news is one message. */
const gatheredMs = 60_000
/** Before the next try, if a message could not be sent. */
const retryMs = 300_000
/** Problems at once. A box with more has one that matters. */
const problemsMax = 500

/** What a problem is known by for as long as it lasts, however its text changes. */
export const identityOf = ({ check, page, about }: CheckResult): string =>
  [check, page !== undefined && 'account' in page ? page.account : null, about].filter((part) => part != null).join(' ')

/** What needs attention, by identity. A channel says nothing of itself: it would have to work for that. */
export const problemsFor = (channel: AlertChannel, found: readonly CheckResult[]): Map<string, CheckResult> =>
  new Map(
    found
      .slice(0, problemsMax)
      .map((result) => [identityOf(result), result] as const)
      .filter(([identity]) => identity !== `alerts ${channel}`),
  )

/** What differs from what was said; `null`: nothing. @param covers of which identities the problems are all there are */
export function newsFor(
  { announced }: ChannelState,
  problems: ReadonlyMap<string, CheckResult>,
  covers: (identity: string) => boolean,
): AlertNews | null {
  const begun = [...problems].flatMap(([identity, result]) => (Object.hasOwn(announced, identity) ? [] : [result]))
  const ended = Object.entries(announced).flatMap(([identity, found]) =>
    problems.has(identity) || !covers(identity) ? [] : [found],
  )
  return begun.length + ended.length === 0 ? null : { begun, ended }
}

/** Whether a message may go out: gathered for a minute, at most four an hour, and after a failure not at once again. */
export function isDue(
  { sentAt, failure }: ChannelState,
  { newsSince, now }: { newsSince: number; now: number },
): boolean {
  const isAfter = (at: number, ms: number): boolean => now - at >= ms || at > now
  if (!isAfter(newsSince, gatheredMs) || (failure !== null && !isAfter(failure.triedAt, retryMs))) return false
  return sentAt.filter((at) => !isAfter(at, hourMs)).length < messagesPerHourMax
}

/** What the channel has said once the message has gone out. */
export const afterSending = (
  { announced, sentAt }: ChannelState,
  {
    problems,
    covers,
    now,
  }: { problems: ReadonlyMap<string, CheckResult>; covers: (identity: string) => boolean; now: number },
): ChannelState => ({
  announced: {
    ...Object.fromEntries(Object.entries(announced).filter(([identity]) => !covers(identity))),
    ...Object.fromEntries([...problems].map(([identity, { found }]) => [identity, found])),
  },
  sentAt: [...sentAt.filter((at) => now - at < hourMs && at <= now), now],
  failure: null,
})

export const afterFailure = (state: ChannelState, error: string, now: number): ChannelState => ({
  ...state,
  failure: { since: state.failure?.since ?? now, triedAt: now, error },
})
