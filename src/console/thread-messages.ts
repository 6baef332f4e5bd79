import type { Log, LogFields } from '../lib/log.ts'
import type { Passage } from './passage.ts'

/** From the serving thread to the console's. `C`: the configuration, which the console passes on without reading it. */
export type ToConsole<C> = { begin: { config: C; passage: Passage } } | { close: true }

/** From the console's thread to the serving one. */
export type FromConsole =
  /** The console answers at its passage. */
  | { listening: true }
  /** The console begins or ends work that nobody may be waiting for. */
  | { atWork: boolean }
  | { log: { level: keyof Log; message: string; fields: LogFields } }
  | { closed: true }
