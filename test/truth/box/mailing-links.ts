import { loadConfig } from '../../../src/config/load.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { clickLinks } from '../../../src/operations/link/click-links.ts'
import { SqliteAccountStore } from '../../../src/storage/sqlite/account/account-store.ts'
import { SqliteSigningKeyStore } from '../../../src/storage/sqlite/account/signing-key-store.ts'
import { openConnection } from '../../../src/storage/sqlite/database/connection.ts'
import type { HeldBox } from './held-box.ts'

/** For whom, of which mailing and when a link is signed, and where it is. */
export interface Link {
  account: string
  host: string
  to: string
  message: string | undefined
  email: string | undefined
  /** Epoch milliseconds. */
  sentAt: number
}

/** The path of a link as `capture link sign` makes it; hundreds of them would take that command minutes. */
export type SignLink = (link: Link) => Promise<string>

export async function linkSigner({ databaseFile, configFile, dir }: HeldBox): Promise<SignLink> {
  const connection = openConnection(databaseFile)
  try {
    const { config } = loadConfig({ file: configFile, env: {}, cwd: dir })
    const keys = await (await SqliteSigningKeyStore.open(connection, systemClock)).read()
    const signingKeys = { read: async () => keys, rotate: () => Promise.reject(new Error('not here')) }
    const store = new SqliteAccountStore(connection, systemClock)
    const accounts = await Promise.all((await store.list()).map(({ handle }) => store.find(handle)))
    return async ({ account: handle, to, sentAt, host, message = null, email = null }) => {
      const account = accounts.find((known) => known?.handle === handle)
      if (!account) throw new Error(`the box holds no account ${handle}`)
      const box = { signingKeys, config, clock: { ...systemClock, now: () => sentAt } }
      const links = await clickLinks(box, account, { host, message, email })
      const signed = links.to(to)
      if (signed === null) throw new Error(`the link to ${to} is too long`)
      return new URL(signed).pathname
    }
  } finally {
    connection.raw.close()
  }
}
