/**
 * What a plan's harm is counted by. A plan asks only about what it harms.
 *
 * Guarantees: an answer does not take longer for the number of records behind it; nothing of another account is in it.
 */
export interface HarmCounts {
  /**
   * Page views from a day on, bots left out, by connected domain or by slug; what was never viewed is absent.
   *
   * @param fromDay days since 1970 in the account's time zone
   */
  views(accountId: string, of: 'host' | 'page', fromDay: number): Promise<ReadonlyMap<string, number>>
  /** Events from a day on, bots left out. Which key brought one is not stored. */
  events(accountId: string, fromDay: number): Promise<number>
  /** What waits to be sent, by destination; one with nothing waiting is absent. */
  waiting(accountId: string): Promise<ReadonlyMap<string, number>>
  /** Accepted submissions that no destination waits for yet, since they were not processed, by form; of very many, the first ones. */
  unprocessed(accountId: string): Promise<ReadonlyMap<string, number>>
}
