export const redirectStatuses = [301, 302, 307, 308] as const
export type RedirectStatus = (typeof redirectStatuses)[number]

/** Leads visitors of a path where no page is to another address. */
export interface Redirect {
  /** The path as people read it, without a final slash: `/über-uns`; `/old/*` for everything below `/old`. */
  from: string
  /** A path or an `https:` address as a URL spells it. `/*` at the end of its path stands for what `/*` in `from` took. */
  to: string
  status: RedirectStatus
}
