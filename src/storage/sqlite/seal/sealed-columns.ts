/** A column whose values are sealed, or of whose JSON one value is. */
export interface SealedColumn {
  table: string
  column: string
  /** Selects a row. */
  primaryKey: string
  /**
   * Names the row for as long as the value is used, on this box and on another that it moves to: a value sealed for one row
   * opens in no other.
   */
  identity: string
  form: 'text' | 'bytes' | { json: readonly string[] }
}

const accountOfRow = (table: string): string =>
  `(SELECT account.id FROM account WHERE account.row = ${table}.account_row)`
const ofDestination = {
  table: 'destination',
  primaryKey: 'row',
  identity: `${accountOfRow('destination')} || ' ' || name`,
}

/**
 * Every secret that the database holds and that the box must be able to read again. Passwords, tokens, sessions, invitations,
 * recovery codes and tracking keys are stored as hashes; answers to repeated calls are encrypted under the caller's token.
 */
export const sealedColumns = {
  signingKey: { table: 'signing_key', column: 'secret', primaryKey: 'id', identity: 'id', form: 'bytes' },
  movedSigningKey: {
    table: 'moved_signing_key',
    column: 'secret',
    primaryKey: `account_row || ' ' || id`,
    identity: `${accountOfRow('moved_signing_key')} || ' ' || id`,
    form: 'bytes',
  },
  totpSeed: { table: 'console_user', column: 'totp_secret', primaryKey: 'id', identity: 'id', form: 'bytes' },
  webhookSecret: { ...ofDestination, column: 'secret', form: 'text' },
  previousWebhookSecret: { ...ofDestination, column: 'previous_secret', form: 'text' },
  /** Of a webhook or a chat: whoever knows it can post there. */
  destinationAddress: { ...ofDestination, column: 'definition', form: { json: ['url'] } },
  botCheckSecret: {
    table: 'account',
    column: 'settings',
    primaryKey: 'row',
    identity: 'id',
    form: { json: ['botCheck', 'secret'] },
  },
  certificateKey: { table: 'certificate', column: 'key', primaryKey: 'host', identity: 'host', form: 'text' },
  authorityAccountKey: {
    table: 'acme_account',
    column: 'key',
    primaryKey: 'directory',
    identity: 'directory',
    form: 'text',
  },
} as const satisfies Record<string, SealedColumn>

export type SealedName = keyof typeof sealedColumns

/** Binds a sealed value to its table, column and row. */
export const placeOf = (name: SealedName, identity: string): string => {
  const { table, column } = sealedColumns[name]
  return `${table}.${column} ${identity}`
}
