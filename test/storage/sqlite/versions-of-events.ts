import { versionKey } from '../../../src/account/split.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import type { Connection } from '../../../src/storage/sqlite/database/connection.ts'
import { SqliteFactReader } from '../../../src/storage/sqlite/report/fact-reader.ts'

/** The version that each entry has as an event which followed one; `null`: it has none. */
export async function versionsOfEvents(connection: Connection, entries: readonly Entry[]): Promise<(string | null)[]> {
  const rows = entries.map((entry) => ({ cursor: '0', entry }))
  const found = await new SqliteFactReader(connection).about('account-a', rows)
  return found.map(({ event }) => event && versionKey(event.version.split, event.version.variant))
}
