/** The ledger row that is being processed: what is stored of it names it. */
export interface EntryUnderWay {
  sequence: number
  accountRow: number
  kind: number
  receivedAt: number
}
