/** A row of the inbox, as the box makes it; of a new lead, as the live inbox sends it. */
export interface InboxRow extends RecentTime {
  id: string
  who: string
  words: string
  /** Empty: the account has no other. */
  form: string
  /** Where it came from; empty: unknown. */
  source: string
  at: string
  marks: string[]
  /** `null`: the user does not see states. */
  state: 'new' | 'seen' | 'done' | null
  /** Whether it is in quarantine. */
  isRefused: boolean
}

export interface RecentTime {
  day: 'today' | 'yesterday' | 'earlier'
  /** `20 Nov`, or `20 Nov 2025` of another year. */
  date: string
  /** `09:15` */
  clock: string
}
