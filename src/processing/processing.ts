/**
 * Everything downstream of capture: reads the ledger in order behind a saved cursor and derives persons, attribution,
 * verdicts and figures.
 *
 * Guarantees: each entry is processed exactly once, by whichever process and despite kills; an entry that cannot be
 * processed is set aside and the rest goes on; no step holds the database's write lock longer than 20 ms.
 */
export interface Processing {
  /** Processes waiting entries for at most so many milliseconds; returns how many still wait. */
  catchUp(msMax: number): Promise<number>
  /** How far processing is behind, and what it set aside. */
  state(): Promise<ProcessingReport>
}

export interface ProcessingReport {
  /** Upper bound of waiting entries: it includes those deleted since they were stored. */
  waiting: number
  /** Receipt of the oldest waiting entry, epoch milliseconds; `null`: none waits. */
  oldestReceivedAt: number | null
  /** Entries that could not be processed. A reason names an error and its place in the sources, and quotes nothing. */
  setAside: { count: number; latest: SetAside | null }
}

export interface SetAside {
  reason: string
  at: number
  /** Whose it is and its id; `null`: it cannot be read. */
  entry: { account: string; id: string } | null
  /** Whether it took too long, so that only another version of the program tries it again. */
  tookTooLong: boolean
}
