/** What `[backup]` of the configuration asks for. */
export interface BackupTerms {
  recipients: readonly string[]
  baseEveryMs: number
  /** 0: none. */
  incrementEveryMs: number
  keepMs: number
}
