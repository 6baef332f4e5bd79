import type { Database } from 'bun:sqlite'
import type { Click } from '../../../ledger/entry.ts'
import type {
  AwaitingLifeQuery,
  CapturedClickQuery,
  Clicks,
  ClicksAroundQuery,
  StoredClick,
} from '../../../processing/clicks/clicks.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import { storedJson } from '../database/damage.ts'
import { type EntryRow, readableEntry } from '../ledger/ledger-codec.ts'
import { BulkInsert, type StoredKeys } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

export class ClickRows {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
    private readonly devices: Pick<StoredKeys, 'rowOf'>,
  ) {
    this.statements = prepareStatements(raw)
  }

  around({ accountId, group, at, withinMs, limit }: ClicksAroundQuery): StoredClick[] {
    const { upTo, behind } = this.statements
    const account = this.rowOfAccount(accountId)
    const found = upTo.all(account, group, at - withinMs, at, limit)
    return [...found, ...behind.all(account, group, at, limit)].map(storedClick)
  }

  awaitingLife({ device, since, limit }: AwaitingLifeQuery): StoredClick[] {
    return this.statements.awaitingLife.all(device, since, limit).map(storedClick)
  }

  captured({ accountId, key }: CapturedClickQuery): Click | null {
    const row = this.statements.captured.get(key)
    // A click that cannot be read must not set aside the entry under way.
    const entry = row && readableEntry(row, accountId)
    return entry?.kind === 'click' ? entry : null
  }

  /** Those that still exist. */
  listOf(keys: readonly EntryKey[]): StoredClick[] {
    return keys.flatMap((key) => this.statements.one.all(key)).map(storedClick)
  }

  /** The account's clicks after the given one, in the order in which they were captured. */
  listAfter(accountRow: number, behind: number, limit: number): StoredClick[] {
    return this.statements.listAfter.all(accountRow, behind, limit).map(storedClick)
  }

  keep({ added, changed }: Pick<Clicks, 'added' | 'changed'>): void {
    this.statements.add.run(
      added.map(({ accountId, click }) => [
        click.key,
        this.rowOfAccount(accountId),
        this.devices.rowOf(click.device),
        click.receivedAt,
        click.day,
        click.message,
        click.recipient,
        click.url,
        click.burstGroup,
        click.agent,
        click.verdict,
        JSON.stringify(click.reasons),
        click.lifeAt,
      ]),
    )
    for (const { key, verdict, reasons, lifeAt } of changed) {
      this.statements.save.run(verdict, JSON.stringify(reasons), lifeAt, key)
    }
  }
}

type ClickRow = Omit<StoredClick, 'reasons'> & { reasons: string }

const storedClick = ({ reasons, ...click }: ClickRow): StoredClick => ({ ...click, reasons: storedJson(reasons) })

const columns = `sequence AS key, device_row AS device, received_at AS receivedAt, day, message, recipient, url,
  burst_group AS burstGroup, agent, verdict, reasons, life_at AS lifeAt`

function prepareStatements(raw: Database) {
  const inGroup = `SELECT ${columns} FROM click_fact WHERE account_row = ? AND burst_group = ?`
  return {
    upTo: raw.query<ClickRow, [number, string, number, number, number]>(
      `${inGroup} AND received_at BETWEEN ? AND ? ORDER BY received_at DESC, sequence DESC LIMIT ?`,
    ),
    behind: raw.query<ClickRow, [number, string, number, number]>(
      `${inGroup} AND received_at > ? ORDER BY received_at, sequence LIMIT ?`,
    ),
    awaitingLife: raw.query<ClickRow, [number, number, number]>(
      `SELECT ${columns} FROM click_fact WHERE device_row = ? AND received_at >= ? AND life_at IS NULL
       ORDER BY received_at DESC, sequence DESC LIMIT ?`,
    ),
    captured: raw.query<EntryRow & { sequence: EntryKey }, [number]>(
      'SELECT sequence, kind, id, received_at AS receivedAt, record, checksum FROM ledger WHERE sequence = ?',
    ),
    one: raw.query<ClickRow, [number]>(`SELECT ${columns} FROM click_fact WHERE sequence = ?`),
    listAfter: raw.query<ClickRow, [number, number, number]>(
      `SELECT ${columns} FROM click_fact WHERE account_row = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
    ),
    add: new BulkInsert(
      raw,
      `click_fact (sequence, account_row, device_row, received_at, day, message, recipient, url, burst_group, agent,
         verdict, reasons, life_at)`,
    ),
    save: raw.query('UPDATE click_fact SET verdict = ?, reasons = ?, life_at = ? WHERE sequence = ?'),
  }
}
