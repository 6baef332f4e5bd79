/**
 * What is behind the capture: the ledger read in order behind a saved cursor, and made into persons, attribution,
 * verdicts and figures.
 *
 * Guarantees: an entry is processed once, whoever runs it and whenever it is killed; one that cannot be processed is set
 * aside and the rest goes on; no step holds the database's write lock longer than 20 ms.
 */
export interface Processing {
  /** Processes what waits, for about so many milliseconds at most; answers how many entries still wait then. */
  catchUp(msMax: number): Promise<number>
  /** How far behind it is, and what it set aside. */
  state(): Promise<ProcessingReport>
}

export interface ProcessingReport {
  /** Entries that wait, at most: those deleted since they were stored are among them. */
  waiting: number
  /** When the oldest of them was received, epoch milliseconds; `null`: none waits. */
  oldestReceivedAt: number | null
  /** Entries that could not be processed. A reason names an error and its place in the sources, and quotes nothing. */
  setAside: { count: number; latest: { reason: string; at: number } | null }
}
