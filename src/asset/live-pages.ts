import type { Clock } from '../lib/clock.ts'
import { type Asset, hasTimes, isLiveAt } from './asset.ts'

/** The landing pages that visitors see now, by slug. Times are compared when a page is asked for, so nothing has to wake up for them. */
export class LivePages {
  /** @param pages in the state `live` */
  constructor(
    private readonly pages: ReadonlyMap<string, Asset>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  get(slug: string): Asset | undefined {
    const page = this.pages.get(slug)
    if (page === undefined || !hasTimes(page.current)) return page
    return isLiveAt(page.current, this.clock.now()) ? page : undefined
  }

  has(slug: string): boolean {
    return this.get(slug) !== undefined
  }
}
