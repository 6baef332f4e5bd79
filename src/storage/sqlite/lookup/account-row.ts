import type { Connection } from '../database/connection.ts'

/** `null`: unknown or removed. */
export const accountRowOf = ({ raw }: Pick<Connection, 'raw'>, accountId: string): number | null =>
  raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ? AND removed_at IS NULL').get(accountId)
    ?.row ?? null

/** Also of a removed account; `null`: unknown. */
export const storedAccountRow = ({ raw }: Pick<Connection, 'raw'>, accountId: string): number | null =>
  raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?').get(accountId)?.row ?? null

/** @throws if the account is unknown or removed */
export function knownAccountRow(connection: Pick<Connection, 'raw'>, accountId: string): number {
  const row = accountRowOf(connection, accountId)
  if (row === null) throw new Error(`no account ${accountId}`)
  return row
}

/** The name alone: the rest of the settings may be large. The handle where the settings cannot be read. */
export const accountName = "iif(json_valid(settings), settings ->> '$.name', handle)"

/** The settings of a removed account, whose row stays. */
export const noSettings = '{}'
