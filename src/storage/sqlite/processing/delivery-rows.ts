import type { Database } from 'bun:sqlite'
import { boxReplyMark } from '../../../account/reply-opt-out.ts'
import { replyWindowMsMax } from '../../../delivery/reply/reply-rules.ts'
import { newId } from '../../../lib/id.ts'
import type { Deliveries, Replies, ReplyCandidate, ReplyHistory } from '../../../processing/deliveries/deliveries.ts'
import { SqliteReplyConsent } from '../account/reply-consent.ts'
import { withdrawnError } from '../account/withdrawn-delivery.ts'
import type { Connection } from '../database/connection.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { RowOfAccount } from './processed-accounts.ts'

/** New rows of the table `delivery`. */
export class DeliveryRows {
  private readonly insert: BulkInsert
  private readonly statements: ReturnType<typeof prepareSending>

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
  ) {
    const columns = ['id', 'account_row', 'destination_row', 'sequence', 'submission_id', 'form_id', 'is_duplicate']
    const times = ['state', 'created_at', 'next_at']
    this.statements = prepareSending(raw)
    this.insert = new BulkInsert(raw, `delivery (${[...columns, ...times].join(', ')})`)
  }

  keep({ added }: Pick<Deliveries, 'added'>): void {
    // What was sent before the submission was refused, or confirmed, is not sent again.
    const { sent, resume } = this.statements
    for (const { isAgain, destination, key, at } of added) if (isAgain) resume.run(at, key, destination, withdrawnError)
    const unsent = added.filter(({ isAgain, destination, key }) => !isAgain || sent.get(key, destination) === null)
    if (unsent.length === 0) return
    this.insert.run(
      unsent.map(({ destination, key, submission, isDuplicate, at }) => [
        newId(),
        this.rowOfAccount(submission.accountId),
        destination,
        key,
        submission.id,
        submission.formId,
        isDuplicate ? 1 : 0,
        'waiting',
        at,
        at,
      ]),
    )
  }
}

const prepareSending = (raw: Database) => ({
  sent: raw.query<object, [number, number]>(
    'SELECT 1 FROM delivery WHERE sequence = ? AND destination_row = ? LIMIT 1',
  ),
  // The schedule of what a refusal had interrupted goes on, unless the answer to its latest attempt is unknown.
  resume: raw.query<null, [number, number, number, string]>(
    `UPDATE delivery SET state = 'waiting', settled_at = NULL, last_error = NULL, next_at = ?
     WHERE sequence = ? AND destination_row = ? AND state = 'failed' AND last_error = ?
       AND EXISTS (SELECT 1 FROM delivery_attempt WHERE delivery_row = delivery.row AND at >= tried_at)`,
  ),
})

/** The table `visitor_reply`: recently answered submissions, by marks of their addresses. */
export class ReplyRows {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly consent: SqliteReplyConsent

  constructor(
    raw: Database,
    private readonly rowOfAccount: RowOfAccount,
  ) {
    this.statements = prepareStatements(raw)
    this.consent = new SqliteReplyConsent(raw)
  }

  history({ accountId, email, at }: ReplyCandidate): ReplyHistory {
    const key = this.consent.key()
    const account = this.rowOfAccount(accountId)
    const rows = this.statements.answered.all(boxReplyMark(email, key), at - replyWindowMsMax, account)
    return {
      isOptedOut: this.consent.isOptedOut(accountId, email),
      answered: rows.map(({ destination, isSameAccount, isSameAddress, at }) => ({
        form: String(destination),
        account: isSameAccount === 1 ? accountId : '',
        address: isSameAddress === 1 ? email : '',
        at,
      })),
    }
  }

  keep({ added }: Pick<Replies, 'added'>): void {
    for (const { accountId, destination, email, at } of added)
      this.statements.add.run(this.rowOfAccount(accountId), destination, boxReplyMark(email, this.consent.key()), at)
  }
}

interface AnsweredRow {
  destination: number
  isSameAccount: number
  isSameAddress: number
  at: number
}

function prepareStatements(raw: Database) {
  return {
    answered: raw.query<AnsweredRow, [string, number, number]>(
      `SELECT destination_row AS destination, account_row = ?3 AS isSameAccount, 1 AS isSameAddress, at FROM visitor_reply
       WHERE address_mark = ?1 AND at > ?2
       UNION ALL
       SELECT destination_row, 1, 0, at FROM visitor_reply
       WHERE account_row = ?3 AND at > ?2 AND address_mark <> ?1`,
    ),
    add: raw.query<null, [number, number, string, number]>(
      'INSERT INTO visitor_reply (account_row, destination_row, address_mark, at) VALUES (?, ?, ?, ?)',
    ),
  }
}

interface Run {
  first: number
  last: number
}

/** Entries that another box delivered (`deliveredElsewhere` in processing-schema.ts). */
export class DeliveredElsewhere {
  private readonly touching: ReturnType<typeof prepareTouching>

  constructor(connection: Connection) {
    this.touching = prepareTouching(connection)
  }

  /** Learns it for consecutive entries of the ledger, in one statement. */
  among(rows: readonly { sequence: number }[]): (sequence: number) => boolean {
    const from = rows[0]?.sequence
    const to = rows.at(-1)?.sequence
    const runs = from === undefined || to === undefined ? [] : this.touching.all(from, to)
    if (runs.length === 0) return no
    return (sequence) => runs.some(({ first, last }) => first <= sequence && sequence <= last)
  }
}

const no = (): boolean => false

const prepareTouching = ({ raw }: Connection) =>
  raw.query<Run, [number, number]>(
    `SELECT first_sequence AS first, last_sequence AS last FROM delivered_elsewhere
     WHERE last_sequence >= ?1 AND first_sequence <= ?2`,
  )
