import type { Http01Answer } from '../../../https/acme/authority.ts'
import { Keeper } from '../../../https/keeper/keeper.ts'
import type { FromKeeper, KeeperSettings, ToKeeper } from '../../../https/keeper/thread-messages.ts'
import { openWorld } from '../../../https/keeper/world.ts'
import { registeredDomain, whyNotPublic } from '../../../https/name/public-name.ts'
import { chance } from '../../../lib/chance.ts'
import { systemClock } from '../../../lib/clock.ts'
import { everyInterval, type PeriodicWork } from '../../../lib/interval.ts'
import { handedOnLog } from '../../../lib/log.ts'
import { connectedDomains } from '../account/connected-domains.ts'
import { SqliteSigningKeyStore } from '../account/signing-key-store.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { SqliteCertificateStore } from './certificate-store.ts'
import { SqliteOrderLog } from './order-log.ts'

const turnMs = 1000

/** The keeper's side of `KeeperThread`: its database, its turns, and the challenges that listeners must answer. */
export class KeeperWorkplace {
  private readonly shown = new Map<number, () => void>()
  private lastId = 0
  private work: { keeper: Keeper; turns: PeriodicWork; connection: Connection } | null = null

  constructor(private readonly post: (message: FromKeeper) => void) {}

  receive(message: ToKeeper): void {
    if ('begin' in message) void this.begin(message.begin)
    else if ('shown' in message) this.shown.get(message.shown)?.()
    else void this.close()
  }

  private async begin(settings: KeeperSettings): Promise<void> {
    const connection = openConnection(settings.databaseFile)
    const signingKeys = await SqliteSigningKeyStore.open(connection, systemClock)
    const secret = async () => (await signingKeys.read()).current('name').secret
    const { txtRecords, ...world } = openWorld(settings, { clock: systemClock, secret })
    const log = handedOnLog((line) => this.post({ log: line }))
    const keeper = new Keeper({
      ...settings,
      ...world,
      store: new SqliteCertificateStore(connection),
      orders: new SqliteOrderLog(connection),
      configured: async () => [
        ...connectedDomains(connection),
        ...settings.ownHosts.map((host) => ({ host, accountId: '' })),
      ],
      whyNotPublic,
      registeredDomain,
      answers: { http01: (answer) => this.show(answer), txtRecords },
      onIssued: (issued) => this.post({ issued }),
      clock: systemClock,
      random: chance,
      log,
    })
    this.work = { keeper, connection, turns: everyInterval(turnMs, () => keeper.turn(), log) }
  }

  /** Resolves once the listeners answer the challenge. */
  private async show({ token, keyAuthorization }: Http01Answer): Promise<AsyncDisposable> {
    const id = ++this.lastId
    await new Promise<void>((resolve) => {
      this.shown.set(id, resolve)
      this.post({ show: { id, token, keyAuthorization } })
    })
    this.shown.delete(id)
    return { [Symbol.asyncDispose]: async () => this.post({ hide: token }) }
  }

  private async close(): Promise<void> {
    const { work } = this
    this.work = null
    if (work !== null) {
      await Promise.all([work.turns.stop(), work.keeper.stop()])
      work.connection.raw.close()
    }
    this.post({ closed: true })
  }
}
