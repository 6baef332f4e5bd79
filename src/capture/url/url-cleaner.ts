import { RecentMap } from '../../lib/recent-map.ts'
import { type CleanedUrl, cleanUrl } from './clean-url.ts'
import { type JudgedName, judgedName } from './parameter-name.ts'

/** What is remembered in each of two generations, and the longest that is: some 3 MB when all are that long. */
const addressesMax = 2000
const addressCharsMax = 300
const namesMax = 1000
const nameCharsMax = 64

/** `cleanUrl` with a memory. What it remembers stays in memory and goes with the process. */
export class UrlCleaner {
  private readonly addresses = new RecentMap<CleanedUrl>(addressesMax)
  private readonly names = new RecentMap<JudgedName>(namesMax)
  private readonly judge = (rawName: string): JudgedName => this.judged(rawName)

  /** As `cleanUrl`; a site's parameters have few names, so each is judged once. */
  clean(raw: string): CleanedUrl | null {
    return cleanUrl(raw, this.judge)
  }

  /**
   * The same for an address that comes again and again: visitors come from few referrers to few pages, and the links of
   * a mailing lead to the same destinations. Callers share the result and must not change it.
   */
  cleanRecurring(raw: string): CleanedUrl | null {
    if (raw.length > addressCharsMax) return this.clean(raw)
    const known = this.addresses.get(raw)
    if (known !== undefined) return known
    const cleaned = this.clean(raw)
    if (cleaned !== null) this.addresses.set(raw, cleaned)
    return cleaned
  }

  private judged(rawName: string): JudgedName {
    const known = this.names.get(rawName)
    if (known !== undefined) return known
    const judged = judgedName(rawName)
    if (rawName.length <= nameCharsMax) this.names.set(rawName, judged)
    return judged
  }
}
