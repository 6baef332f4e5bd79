import type { Connection } from '../database/connection.ts'

/** The ledger sequence up to which everything is processed. */
export const processedTo = ({ raw }: Pick<Connection, 'raw'>): number =>
  raw.query<{ cursor: number }, []>('SELECT cursor FROM processing').get()?.cursor ?? 0
