import { eq, isNotNull, isNull } from 'drizzle-orm'
import type { UnfinishedRemoval } from '../../../operations/doctor/inspection.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { breath, inSteps, rowsPerStep } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import { noSettings } from '../lookup/account-row.ts'
import { account, domain } from '../schema/account-schema.ts'
import { invitation } from '../schema/console-schema.ts'
import { tables } from '../schema/tables.ts'
import { connectedHosts, reserveDomains } from './domain-claims.ts'
import { raiseRevision } from './revision.ts'

/** Tables with rows of an account, those that refer to others first, so that few rows go by a cascade. */
const ofAccounts = tables.flatMap(({ of, name }) => (of === 'account' && name !== 'device' ? [name] : [])).toReversed()
/** Tables with rows of a device, which are found only through it: the device goes last. */
const ofDevices = [...tables.flatMap(({ of, name }) => (of === 'device' ? [name] : [])), 'device']

/**
 * Makes the account invisible in one short transaction, to visitors and to its users, then deletes its rows in small
 * ones.
 */
export async function removeAccountRows(connection: Connection, accountRow: number, now: number): Promise<void> {
  hideAccount(connection, accountRow, now)
  await deleteAccountRows(connection, accountRow)
}

/** Deletes the remains of removed accounts; returns of how many accounts there were any. */
export async function finishAccountRemovals(connection: Connection): Promise<number> {
  const begun = connection.db.select({ row: account.row }).from(account).where(isNotNull(account.removedAt)).all()
  let finished = 0
  for (const { row } of begun) if ((await deleteAccountRows(connection, row)) > 0) finished++
  return finished
}

/** The revision of an account that is being taken in: no change of this box has shown it yet. */
export const neverShown = 0

/** Removed accounts with remains, and those of which the arrival was interrupted. Works on a read-only connection. */
export function unfinishedRemovals({ raw }: Pick<Connection, 'raw'>): UnfinishedRemoval[] {
  const isLeft = [...ofAccounts, 'device'].map(
    (table) => `EXISTS (SELECT 1 FROM ${table} WHERE account_row = account.row${butErasures(table)})`,
  )
  return raw
    .query<Omit<UnfinishedRemoval, 'name' | 'isArrival'> & { settings: string; changedAt: number }, []>(
      `SELECT handle, settings, removed_at AS begunAt, changed_at_revision AS changedAt FROM account
       WHERE removed_at IS NOT NULL AND (settings <> '${noSettings}' OR ${isLeft.join(' OR ')})`,
    )
    .all()
    .map(({ settings, changedAt, ...removal }) => ({
      ...removal,
      name: storedJson<{ name?: string }>(settings).name ?? null,
      isArrival: changedAt === neverShown,
    }))
}

/** An older backup brings the account back, and with it the persons it had forgotten (decisions, 47). */
const butErasures = (table: string): string => (table === 'ledger' ? ` AND kind <> ${decisionKinds.erasure}` : '')

/**
 * Deletes everything of the account except its emptied row and its erasure entries. The row stays for good: a server
 * that has not noticed yet may still store a record under its number, which no later account may reuse.
 */
async function deleteAccountRows(connection: Connection, accountRow: number): Promise<number> {
  let deleted = await deleteDevices(connection, accountRow)
  for (const table of ofAccounts) deleted += await deleteInSteps(connection, table, accountRow)
  return deleted + emptyAccount(connection, accountRow)
}

/** Last, so that it marks an interrupted removal. */
const emptyAccount = ({ raw }: Connection, accountRow: number): number =>
  raw
    .query(`UPDATE account SET settings = '${noSettings}' WHERE row = ? AND settings <> '${noSettings}'`)
    .run(accountRow).changes

function hideAccount({ db, raw }: Connection, accountRow: number, now: number): void {
  writeTransaction({ db }, () => {
    const hosts = connectedHosts({ db }, accountRow)
    reserveDomains({ db }, { accountRow, hosts, now })
    db.delete(domain).where(eq(domain.accountRow, accountRow)).run()
    // Frees the handle at once: the row's own id replaces it.
    raw.query('UPDATE account SET removed_at = ?, handle = id WHERE row = ?').run(now, accountRow)
    raw.query('DELETE FROM console_role WHERE account_row = ?').run(accountRow)
    withdrawInvitations({ db }, accountRow)
    raw.query('DELETE FROM api_token WHERE account_id = (SELECT id FROM account WHERE row = ?)').run(accountRow)
    raiseRevision({ raw })
  })
}

/** Those that wait are few: each lasts a day. */
function withdrawInvitations({ db }: Pick<Connection, 'db'>, accountRow: number): void {
  const removed = db.select({ id: account.id }).from(account).where(eq(account.row, accountRow)).get()
  for (const { hash, invited } of db.select().from(invitation).where(isNull(invitation.usedAt)).all())
    if (!invited.isOwner && invited.accountId === removed?.id)
      db.delete(invitation).where(eq(invitation.hash, hash)).run()
}

/** Each is a transaction of its own of well under a millisecond. */
const devicesPerBreath = 20

async function deleteDevices({ raw, db }: Connection, accountRow: number): Promise<number> {
  const first = raw.query<{ row: number }, [number]>('SELECT row FROM device WHERE account_row = ? LIMIT 1')
  for (let deleted = 0; ; ) {
    const device = first.get(accountRow)
    if (device === null) return deleted
    const isGone = writeTransaction({ db }, () => ofDevices.every((table) => deletePart(raw, table, device.row)))
    if (isGone) deleted++
    if (!isGone || deleted % devicesPerBreath === 0) await breath()
  }
}

/** Deletes some rows of the device; returns whether those were the last. */
function deletePart(raw: Connection['raw'], table: string, deviceRow: number): boolean {
  const key = table === 'device' ? 'row' : 'device_row'
  return raw.query(`DELETE FROM ${table} WHERE ${key} = ? LIMIT ${rowsPerStep}`).run(deviceRow).changes < rowsPerStep
}

function deleteInSteps({ raw }: Connection, table: string, accountRow: number): Promise<number> {
  const step = raw.query<null, [number]>(
    `DELETE FROM ${table} WHERE account_row = ?${butErasures(table)} LIMIT ${rowsPerStep}`,
  )
  return inSteps(() => step.run(accountRow))
}
