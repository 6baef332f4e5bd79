import { Database } from 'bun:sqlite'
import { databaseFile } from './database-file.ts'
import { until } from './until.ts'

/** How many records were ever stored: the ledger's last sequence number, which is never used twice. */
export function storedRecords(dataFolder: string): number {
  const database = new Database(databaseFile(dataFolder), { readonly: true })
  try {
    const row = database.query<{ last: number }, []>('SELECT coalesce(max(sequence), 0) AS last FROM ledger').get()
    return row?.last ?? 0
  } finally {
    database.close()
  }
}

/** How long a round's records may take to be processed. */
const processedSecondsMax = 120

/** Waits until all that was stored has been processed. */
export async function expectProcessed(dataFolder: string): Promise<void> {
  await until('the ledger to be processed', () => waitingRecords(dataFolder) === 0, processedSecondsMax)
}

function waitingRecords(dataFolder: string): number {
  const database = new Database(databaseFile(dataFolder), { readonly: true })
  try {
    const row = database
      .query<{ waiting: number }, []>(
        'SELECT coalesce((SELECT max(sequence) FROM ledger), 0) - (SELECT cursor FROM processing) AS waiting',
      )
      .get()
    return Math.max(0, row?.waiting ?? 0)
  } finally {
    database.close()
  }
}

/** Proves that nothing was answered that is not stored. A page view may lag by 100 ms. */
export async function expectStored(dataFolder: string, least: number): Promise<void> {
  await until(`${least} records in the ledger`, () => storedRecords(dataFolder) >= least)
}
