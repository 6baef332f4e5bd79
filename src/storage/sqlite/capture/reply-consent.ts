import type { Database } from 'bun:sqlite'
import { replyMark } from '../../../account/reply-opt-out.ts'
import type { SigningKey } from '../../../account/signing-key.ts'
import type { ReplyConsent } from '../../../delivery/reply/reply-carrier.ts'
import { sealOf } from '../seal/box-seal.ts'
import { optOutLookup } from './reply-opt-outs.ts'

/** Reads what a reply depends on. A read-only connection will do. */
export class SqliteReplyConsent implements ReplyConsent {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly lookup: ReturnType<typeof optOutLookup>
  private known: SigningKey | null = null

  constructor(private readonly raw: Database) {
    this.statements = prepareStatements(raw)
    this.lookup = optOutLookup(raw)
  }

  /** Created when the database is opened, never replaced. */
  key(): SigningKey {
    this.known ??= this.read()
    return this.known
  }

  /** Also checks marks that the account brought from another box. */
  isOptedOut(accountId: string, email: string): boolean {
    const account = this.statements.account.get(accountId)
    if (account === null) return true
    const keys = [this.key(), ...this.movedKeys(accountId, account.row)]
    return keys.some((key) => this.lookup(account.row, replyMark(accountId, email, key)))
  }

  private read(): SigningKey {
    const found = this.statements.key.get()
    if (found === null) throw new Error('There is no current reply key')
    return asReplyKey({ ...found, secret: sealOf(this.raw).openBytes('signingKey', found.id, found.secret) })
  }

  private movedKeys(accountId: string, accountRow: number): SigningKey[] {
    return this.statements.movedKeys.all(accountRow).map(({ secret, ...key }) => {
      const place = `${accountId} ${key.id}`
      return asReplyKey({ ...key, secret: sealOf(this.raw).openBytes('movedSigningKey', place, secret) })
    })
  }
}

type StoredKey = Pick<SigningKey, 'id' | 'secret' | 'createdAt'>

const asReplyKey = (key: StoredKey): SigningKey => ({ ...key, purpose: 'reply', verifiesUntil: null })

function prepareStatements(raw: Database) {
  return {
    key: raw.query<StoredKey, []>(
      `SELECT id, secret, created_at AS createdAt FROM signing_key
       WHERE purpose = 'reply' AND verifies_until IS NULL`,
    ),
    movedKeys: raw.query<StoredKey, [number]>(
      `SELECT id, secret, created_at AS createdAt FROM moved_signing_key WHERE account_row = ? AND purpose = 'reply'`,
    ),
    account: raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?'),
  }
}
