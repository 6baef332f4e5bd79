import type { Database } from 'bun:sqlite'
import { boxReplyMark } from '../../../account/reply-opt-out.ts'
import { replyWindowMsMax } from '../../../delivery/reply/reply-rules.ts'
import type { Replies, ReplyCandidate, ReplyHistory } from '../../../processing/deliveries/deliveries.ts'
import { SqliteReplyConsent } from '../capture/reply-consent.ts'
import type { RowOfAccount } from './processed-accounts.ts'

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
