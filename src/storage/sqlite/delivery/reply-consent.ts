import type { Database } from 'bun:sqlite'
import type { SigningKey } from '../../../account/signing-key.ts'
import type { ReplyConsent } from '../../../delivery/reply/reply-carrier.ts'
import { optOutLookup } from '../capture/reply-opt-outs.ts'

/** Reads what a reply depends on. The connection need not be able to write. */
export class SqliteReplyConsent implements ReplyConsent {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly lookup: ReturnType<typeof optOutLookup>
  private known: SigningKey | null = null

  constructor(raw: Database) {
    this.statements = prepareStatements(raw)
    this.lookup = optOutLookup(raw)
  }

  /** Made when the database is opened, and never replaced. */
  key(): SigningKey {
    const found = this.known ?? this.statements.key.get()
    if (found === null) throw new Error('There is no current reply key')
    this.known = { ...found, purpose: 'reply', verifiesUntil: null }
    return this.known
  }

  isOptedOut(accountId: string, mark: string): boolean {
    const account = this.statements.account.get(accountId)
    return account === null || this.lookup(account.row, mark)
  }
}

function prepareStatements(raw: Database) {
  return {
    key: raw.query<Pick<SigningKey, 'id' | 'secret' | 'createdAt'>, []>(
      `SELECT id, secret, created_at AS createdAt FROM signing_key
       WHERE purpose = 'reply' AND verifies_until IS NULL`,
    ),
    account: raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?'),
  }
}
