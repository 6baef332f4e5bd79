import type { LogFields, LogLevel } from '../lib/log.ts'
import type { TargetState } from './target-state.ts'

/** From the serving thread to the one that backs up. */
export type ToBackup<Settings> = { begin: Settings } | { close: true }

/** From the thread that backs up to the serving one. */
export type FromBackup =
  | { log: { level: LogLevel; message: string; fields: LogFields } }
  | { state: TargetState }
  | { closed: true }
