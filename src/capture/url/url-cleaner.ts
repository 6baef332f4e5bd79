import { RecentMap } from '../../lib/recent-map.ts'
import {
  type CleanedBase,
  type CleanedQuery,
  type CleanedUrl,
  cleanBase,
  cleanQuery,
  cleanUrl,
  type UrlMemory,
} from './clean-url.ts'
import { type JudgedName, judgedName } from './parameter-name.ts'

/** Cached addresses in each of two generations, and their longest: 5 MB at most. */
const addressesMax = 2000
const addressCharsMax = 300
const namesMax = 1000
const nameCharsMax = 64

/** `cleanUrl` with a cache in memory. */
export class UrlCleaner {
  private readonly addresses = new RecentMap<CleanedUrl>(addressesMax)
  private readonly bases = new RecentMap<CleanedBase>(addressesMax)
  private readonly names = new RecentMap<JudgedName>(namesMax)
  private readonly memory: UrlMemory = {
    base: (address) => this.base(address),
    query: (query) => this.query(query),
  }
  private latestQuery = ''
  private latestCleaned: CleanedQuery = { query: '', attribution: {} }

  /**
   * As `cleanUrl`; caches pages and parameter names, of which a site has few. Callers share `attribution` and must not
   * change it.
   */
  clean(raw: string): CleanedUrl | null {
    return cleanUrl(raw, this.memory)
  }

  /**
   * The same for an address that comes again and again, query and all: visitors come from few referrers to few pages,
   * and the links of a mailing lead to the same destinations. Callers share the result and must not change it.
   */
  cleanRecurring(raw: string): CleanedUrl | null {
    if (raw.length > addressCharsMax) return this.clean(raw)
    const known = this.addresses.get(raw)
    if (known !== undefined) return known
    const cleaned = this.clean(raw)
    if (cleaned !== null) this.addresses.set(raw, cleaned)
    return cleaned
  }

  private base(address: string): CleanedBase | null {
    const known = this.bases.get(address)
    if (known !== undefined) return known
    const base = cleanBase(address)
    if (base !== null && address.length <= addressCharsMax) this.bases.set(address, base)
    return base
  }

  /** Remembers the latest query: the events of a batch come from one page. */
  private query(query: string): CleanedQuery {
    if (query === this.latestQuery) return this.latestCleaned
    this.latestCleaned = cleanQuery(query, (rawName) => this.judged(rawName))
    this.latestQuery = query
    return this.latestCleaned
  }

  private judged(rawName: string): JudgedName {
    const known = this.names.get(rawName)
    if (known !== undefined) return known
    const judged = judgedName(rawName)
    if (rawName.length <= nameCharsMax) this.names.set(rawName, judged)
    return judged
  }
}
