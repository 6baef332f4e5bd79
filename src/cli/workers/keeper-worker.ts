import { accountPreviewHost } from '../../asset/preview-host.ts'
import type { Http01Answer } from '../../https/acme/authority.ts'
import { Keeper } from '../../https/keeper/keeper.ts'
import type { ChallengeShown, KeeperNotice, KeeperSettings } from '../../https/keeper/targets.ts'
import { openWorld } from '../../https/keeper/world.ts'
import { registeredDomain, whyNotPublic } from '../../https/name/public-name.ts'
import { chance } from '../../lib/chance.ts'
import { systemClock } from '../../lib/clock.ts'
import { everyInterval } from '../../lib/interval.ts'
import { SqliteAccountStore } from '../../storage/sqlite/account/account-store.ts'
import { connectedDomains } from '../../storage/sqlite/account/domain-claims.ts'
import { SqliteSigningKeyStore } from '../../storage/sqlite/account/signing-key-store.ts'
import { openConnection } from '../../storage/sqlite/database/connection.ts'
import { SqliteCertificateStore, SqliteOrderLog } from '../../storage/sqlite/https/certificate-store.ts'
import { workInThread } from '../threads/service-thread.ts'

const turnMs = 1000

workInThread<KeeperSettings, KeeperNotice, ChallengeShown>(async (settings, { post, log }) => {
  const connection = openConnection(settings.databaseFile)
  const signingKeys = await SqliteSigningKeyStore.open(connection, systemClock)
  const secret = async () => (await signingKeys.read()).current('name').secret
  const { txtRecords, ...world } = openWorld(settings, { clock: systemClock, secret })
  const challenges = new ShownChallenges(post)
  const accounts = new SqliteAccountStore(connection, systemClock)
  const store = new SqliteCertificateStore(connection)
  store.forgetDamaged()
  const keeper = new Keeper({
    ...settings,
    ...world,
    store,
    orders: new SqliteOrderLog(connection),
    configured: async () => [
      ...connectedDomains(connection),
      ...settings.ownHosts.map((host) => ({ host, accountId: '' })),
      // An account's preview host counts as its own name, so that its orders take turns with those for its domains.
      ...(await accounts.list()).flatMap(({ id, handle }) => {
        const host = accountPreviewHost(handle, settings.previewsBelow)
        return host === null ? [] : { host, accountId: id }
      }),
    ],
    whyNotPublic,
    registeredDomain,
    answers: { http01: (answer) => challenges.show(answer), txtRecords },
    onIssued: (issued) => post({ issued }),
    clock: systemClock,
    random: chance,
    log,
  })
  const turns = everyInterval(turnMs, () => keeper.turn(), log)
  return {
    receive: ({ shown }) => challenges.noteShown(shown),
    async close() {
      await Promise.all([turns.stop(), keeper.stop()])
      connection.raw.close()
    },
  }
})

class ShownChallenges {
  private readonly waiting = new Map<number, () => void>()
  private lastId = 0

  constructor(private readonly post: (message: KeeperNotice) => void) {}

  /** Resolves once the listeners answer the challenge. */
  async show({ token, keyAuthorization }: Http01Answer): Promise<AsyncDisposable> {
    const id = ++this.lastId
    await new Promise<void>((resolve) => {
      this.waiting.set(id, resolve)
      this.post({ show: { id, token, keyAuthorization } })
    })
    this.waiting.delete(id)
    return { [Symbol.asyncDispose]: async () => this.post({ hide: token }) }
  }

  noteShown(id: number): void {
    this.waiting.get(id)?.()
  }
}
