import type { Database } from 'bun:sqlite'
import { type ReplyOptOuts, replyMark } from '../../../account/reply-opt-out.ts'
import type { SigningKey, SigningPurpose } from '../../../account/signing-key.ts'
import type { ReplyConsent } from '../../../delivery/reply/reply-carrier.ts'
import { sealOf } from '../seal/box-seal.ts'

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
    this.known ??= currentKey(this.raw, 'reply')
    return this.known
  }

  /** Also checks marks that the account brought from another box. */
  isOptedOut(accountId: string, email: string): boolean {
    const account = this.statements.account.get(accountId)
    if (account === null) return true
    const keys = [this.key(), ...this.movedKeys(accountId, account.row)]
    return keys.some((key) => this.lookup(account.row, replyMark(accountId, email, key)))
  }

  private movedKeys(accountId: string, accountRow: number): SigningKey[] {
    return this.statements.movedKeys.all(accountRow).map(({ secret, ...key }) => {
      const place = `${accountId} ${key.id}`
      return asReplyKey({ ...key, secret: sealOf(this.raw).openBytes('moved_signing_key.secret', place, secret) })
    })
  }
}

/** The key of the box that signs for a purpose. Every purpose gets one when the database is opened. */
export function currentKey(raw: Database, purpose: SigningPurpose): SigningKey {
  const found = raw
    .query<StoredKey, [string]>(
      'SELECT id, secret, created_at AS createdAt FROM signing_key WHERE purpose = ? AND verifies_until IS NULL',
    )
    .get(purpose)
  if (found === null) throw new Error(`There is no current ${purpose} key`)
  const secret = sealOf(raw).openBytes('signing_key.secret', found.id, found.secret)
  return { ...found, secret, purpose, verifiesUntil: null }
}

type StoredKey = Pick<SigningKey, 'id' | 'secret' | 'createdAt'>

const asReplyKey = (key: StoredKey): SigningKey => ({ ...key, purpose: 'reply', verifiesUntil: null })

function prepareStatements(raw: Database) {
  return {
    movedKeys: raw.query<StoredKey, [number]>(
      `SELECT id, secret, created_at AS createdAt FROM moved_signing_key WHERE account_row = ? AND purpose = 'reply'`,
    ),
    account: raw.query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?'),
  }
}

interface GroupCommit {
  spend(challenge: { accountId: string; challenge: string; expiresAt: number }): Promise<boolean>
}

/**
 * Visitors' opt-outs go to disk with the group commit, as spent challenges that never expire: the serving thread writes
 * nothing itself, and they go only with their account (docs/decisions/0051).
 */
export class SqliteReplyOptOuts implements ReplyOptOuts {
  constructor(private readonly groupCommit: GroupCommit) {}

  async add(accountId: string, mark: string): Promise<void> {
    await this.groupCommit.spend({ accountId, challenge: kept(mark), expiresAt: Number.MAX_SAFE_INTEGER })
  }
}

/** Distinguishes opt-outs from challenges, which contain no blank. */
const kept = (mark: string): string => `no-reply ${mark}`

/**
 * Whether the visitor of this mark declined further replies.
 * @param accountRow the account's row
 */
function optOutLookup(raw: Database): (accountRow: number, mark: string) => boolean {
  const found = raw.query<{ found: number }, [number, string]>(
    'SELECT 1 AS found FROM spent_challenge WHERE account_row = ? AND challenge = ?',
  )
  return (accountRow, mark) => found.get(accountRow, kept(mark)) !== null
}
