/**
 * What is behind the capture: the ledger read in order behind a saved cursor, and made into persons, attribution,
 * verdicts and figures.
 *
 * Guarantees: an entry is processed once, whoever runs it and whenever it is killed; no step holds the database's write
 * lock longer than 20 ms.
 */
export interface Processing {
  /** Processes what waits, for at most so many milliseconds; answers how many entries still wait then. */
  catchUp(msMax: number): Promise<number>
  /** How far behind it is, and what it set aside. */
  state(): Promise<ProcessingReport>
}

export interface ProcessingReport {
  /** Entries that wait. */
  waiting: number
  setAside: { count: number; latest: { reason: string; at: number } | null }
}
