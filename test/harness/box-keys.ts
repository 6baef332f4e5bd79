import { join } from 'node:path'
import { replyMark, replyOptOutPath, replyOptOutToken } from '../../src/account/reply-opt-out.ts'
import type { SigningKeys } from '../../src/account/signing-key.ts'
import { assetKinds, treatedAs } from '../../src/asset/asset-kind.ts'
import { signedPreviewQuery, signedSitePath } from '../../src/asset/preview-signature.ts'
import { signClickToken } from '../../src/capture/click-token.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { sign } from '../../src/lib/sign.ts'
import { SqliteAccountStore } from '../../src/storage/sqlite/account/account-store.ts'
import { SqliteSigningKeyStore } from '../../src/storage/sqlite/account/signing-key-store.ts'
import { type Connection, openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { SqliteCatalogue } from '../../src/storage/sqlite/site/catalogue.ts'
import type { Box } from './box.ts'

/**
 * A box's own signing keys, to sign what no command would: hostile destinations, expired previews, other accounts'
 * links.
 */
export class BoxKeys {
  private constructor(
    private readonly keys: SigningKeys,
    private readonly accountIds: ReadonlyMap<string, string>,
    private readonly assetIds: ReadonlyMap<string, string>,
  ) {}

  /** Reads the data folder of a running box, as any command may. */
  static async of(box: Pick<Box, 'dir'>): Promise<BoxKeys> {
    const connection = openConnection(join(box.dir, 'data', 'capture.db'))
    try {
      const store = await SqliteSigningKeyStore.open(connection, systemClock)
      const accountIds = new Map<string, string>()
      const assetIds = new Map<string, string>()
      for (const { id, handle } of await new SqliteAccountStore(connection, systemClock).list()) {
        accountIds.set(handle, id)
        for (const [name, assetId] of await assetsOf(connection, id)) assetIds.set(`${handle} ${name}`, assetId)
      }
      return new BoxKeys(await store.read(), accountIds, assetIds)
    } finally {
      connection.raw.close()
    }
  }

  accountId(account: string): string {
    return found(this.accountIds.get(account), `account ${account}`)
  }

  /** The short id of what a site holds at a path, such as `pages/launch.html`. */
  assetId(path: string, account = 'acme'): string {
    return found(this.assetIds.get(`${account} ${path}`), path)
  }

  /** The path of a click link, as `capture link sign` makes it. */
  clickPath(to: string, { account = 'acme', message = 'mail-1', sentAt = aMinuteAgo() }: ClickOf = {}): string {
    const link = { message, recipient: null, sentAt, destination: to }
    return clickPrefix + found(signClickToken(link, this.accountId(account), this.keys.current('click')), 'short token')
  }

  /** The path at which the visitor of the address has no more replies. */
  optOutPath(email: string, account = 'acme'): string {
    const [accountId, key] = [this.accountId(account), this.keys.current('reply')]
    return replyOptOutPath + replyOptOutToken(replyMark(accountId, email, key), accountId, key)
  }

  /** The path of a click link to a destination that no command would sign. */
  hostileClickPath(to: string, message: string): string {
    const key = this.keys.current('click')
    const content = Buffer.from(JSON.stringify([aMinuteAgo(), message, null, to])).toString('base64url')
    const mac = sign(key.secret, `click 1\n${this.accountId('acme')}\n${content}`)
    return `${clickPrefix}1.${content}.${mac}.${key.id}`
  }

  /** The path and query of a preview address, signed for the account. */
  previewPath(path: string, { account = 'acme', expiresInSeconds = 600 }: PreviewOf = {}): string {
    const address = { accountId: this.accountId(account), path }
    return `${path}?${signedPreviewQuery(address, inSeconds(expiresInSeconds), this.keys)}`
  }

  /** Below what path a preview host shows what a page of the account refers to. */
  signedSitePath({ account = 'acme', expiresInSeconds = 600 }: PreviewOf = {}): string {
    return signedSitePath({ id: this.accountId(account), handle: account }, inSeconds(expiresInSeconds), this.keys)
  }
}

const clickPrefix = '/_svc/c/'
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
const aMinuteAgo = (): number => Date.now() - 60_000

export interface ClickOf {
  account?: string
  message?: string | null
  sentAt?: number
}

export interface PreviewOf {
  account?: string
  expiresInSeconds?: number
}

async function assetsOf(connection: Connection, accountId: string): Promise<[path: string, id: string][]> {
  const assets = await new SqliteCatalogue(connection).assets(accountId)
  return assets.map(({ id, kind, name }) => {
    const { folder } = assetKinds[treatedAs(kind)]
    return [`${folder}/${name}${treatedAs(kind) === 'page' ? '.html' : ''}`, id]
  })
}

function found<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`the box holds no ${what}`)
  return value
}
