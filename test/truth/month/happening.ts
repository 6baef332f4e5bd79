/** Where somebody came from, as whoever sent them knows it. */
export interface CameFrom {
  source: string
  medium: string
  campaign: string | null
}

export type Verdict = 'human' | 'suspected' | 'machine'

interface Happened {
  account: string
  /** By the clock that was held, epoch milliseconds. */
  at: number
}

interface ByDevice extends Happened {
  /** As the identity cookie names it. */
  device: string
}

/** A page was seen: recorded at the edge, or told by the page's script. */
export interface Viewed extends ByDevice {
  kind: 'view'
  edge: boolean
  /** The landing page that was served; `null`: a script told of the view. */
  slug: string | null
  /** Of the page's address; `null`: nobody told it. */
  path: string | null
  isBot: boolean
  from: CameFrom
}

export interface Acted extends ByDevice {
  kind: 'event'
  name: string
  isBot: boolean
  /** `null`: the event says nothing of it. */
  from: CameFrom | null
}

/** Somebody said who they are. */
export interface Identified extends ByDevice {
  kind: 'identify'
  /** Lower-case; `null`: they only said what they are like. */
  email: string | null
  /** As they said them. */
  traits: Record<string, string>
  from: CameFrom | null
}

export interface Clicked extends ByDevice {
  kind: 'click'
  message: string | null
  /** What is to be thought of it as long as its device loads nothing, and once it does. */
  verdict: Verdict
  verdictAlive: Verdict
  /** `null`: that a machine did it was seen at once. */
  from: CameFrom | null
}

export interface Submitted extends Happened {
  kind: 'submission'
  form: string
  device: string | null
  /** Lower-case; `null`: they did not say. */
  email: string | null
  /** When they had sent the same within minutes, so that this one is a likely duplicate; `null`: they had not. */
  repeats: number | null
  /** Whether it was refused for the hidden field. */
  isRefused: boolean
  /** When an operator released it. */
  releasedAt: number | null
  /** The landing page that the device had been served last. */
  page: string | null
}

/** A request that was refused. */
export interface Refused extends Happened {
  kind: 'refusal'
  endpoint: 'form' | 'event' | 'click'
  check: string
}

export type Happening = Viewed | Acted | Identified | Clicked | Submitted | Refused
