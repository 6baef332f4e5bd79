import rules from './click-rules.json' with { type: 'json' }

/** Signs against a person behind a click. Each is a reason of a verdict (docs/links-in-email.md). */
export const clickSigns = [
  'head',
  'scanner',
  'bot_agent',
  'no_user_agent',
  'prefetch',
  'burst',
  'shared_burst',
  'soon_after_sending',
  'no_language',
  'no_sign_of_life',
] as const

export type ClickSign = (typeof clickSigns)[number]

/** What a sign makes of a click; `…_until_life`: no longer once its device loads a page or sends an event. */
export const signMeanings = ['machine', 'machine_until_life', 'suspected', 'suspected_until_life'] as const

export interface ClickRules {
  /** A missing sign has no effect. */
  signs: Partial<Record<ClickSign, (typeof signMeanings)[number]>>
  /** Scanners follow a link as the mail arrives; few people do within this time of its sending. */
  secondsAfterSendingMin: number
  /** No person opens this many destinations of one message within this many seconds. */
  burst: { destinationsMin: number; seconds: number }
  /** Destinations on the connected domain below these record nothing of a browser that arrives there. */
  lifelessPaths: string[]
}

/** Today's rules. */
export const clickRules = rules as ClickRules
