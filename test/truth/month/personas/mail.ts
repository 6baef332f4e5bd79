import type { Headers } from '../caller.ts'
import type { CameFrom, Verdict } from '../happening.ts'
import type { Plan } from '../plan.ts'
import { brochure } from '../true-site.ts'
import type { Visitor } from '../visitor.ts'

/** How a click looks: as long as its device has loaded nothing, once it has, and to whom recorded it. */
export interface Look {
  verdict: Verdict
  verdictAlive: Verdict
  /** Whether it was told at once that a machine did it. */
  isPlainlyMachine: boolean
}

/** A browser's click on a page's link: nobody knows that a person did it before the page has loaded. */
export const aBrowsers: Look = { verdict: 'suspected', verdictAlive: 'human', isPlainlyMachine: false }
/** A browser's click on a file's link, which nothing could follow. */
export const onAFile: Look = { verdict: 'human', verdictAlive: 'human', isPlainlyMachine: false }
/** One of many within seconds. */
export const inABurst: Look = { verdict: 'machine', verdictAlive: 'machine', isPlainlyMachine: false }
/** A person's, while something else opens all links of their mail. */
export const besideABurst: Look = { verdict: 'machine', verdictAlive: 'human', isPlainlyMachine: false }
export const aMachines: Look = { verdict: 'machine', verdictAlive: 'machine', isPlainlyMachine: true }
/** A browser's that fetches ahead: a click when its person goes there. */
export const aheadOfTime: Look = { verdict: 'machine', verdictAlive: 'human', isPlainlyMachine: true }

const statedCampaign: CameFrom = { source: 'mailing', medium: 'email', campaign: 'november' }
const destinations: readonly { to: string; says: CameFrom | null }[] = [
  { to: '/launch', says: null },
  { to: '/offer?utm_source=mailing&utm_medium=email&utm_campaign=november', says: statedCampaign },
  { to: '/terms', says: null },
  { to: brochure, says: null },
]

export const linkCount = destinations.length
/** The places of the links that lead to pages. */
export const pageLinks = [0, 1, 2] as const
export const fileLink = 3

/** What one recipient gets: a mail with links of their own. */
export class Mail {
  constructor(
    private readonly sign: Plan['world']['sign'],
    /** `message`: `undefined`, it has no id; `email`: `undefined`, all recipients get the same links. */
    private readonly about: { message: string | undefined; email: string | undefined; sentAt: number },
  ) {}

  get sentAt(): number {
    return this.about.sentAt
  }

  /** Follows the link at a place as far as its answer; answers where that leads. */
  async click(
    visitor: Visitor,
    { link, look }: { link: number; look: Look },
    sent: { method?: string; headers?: Headers } = {},
  ): Promise<URL> {
    const { isPlainlyMachine, ...verdicts } = look
    const from = isPlainlyMachine ? null : this.from(link)
    return visitor.click(
      await this.path(visitor, link),
      { message: this.about.message ?? null, from, ...verdicts },
      sent,
    )
  }

  /** A person follows the link to its page. */
  async follow(visitor: Visitor, link: number, look = aBrowsers): Promise<void> {
    const { pathname, search } = await this.click(visitor, { link, look })
    // The redirect says nothing of what referred to it.
    const from = destinations[link]?.says ?? { source: 'direct', medium: 'none', campaign: null }
    await visitor.view(pathname.slice(1), { query: search.slice(1), referer: null, from })
  }

  path({ site: { account, host } }: Visitor, link: number): Promise<string> {
    return this.sign({ account, host, to: `https://${host}${destinations[link]?.to}`, ...this.about })
  }

  private from(link: number): CameFrom {
    const { message = null } = this.about
    return destinations[link]?.says ?? { source: 'email', medium: 'email', campaign: message }
  }
}
