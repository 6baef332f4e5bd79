import { carriersOf } from '../../../delivery/carriers.ts'
import { Deliverer } from '../../../delivery/deliverer.ts'
import type { ReportWriter } from '../../../delivery/report-letter.ts'
import { systemGuard, systemLookup } from '../../../delivery/system-guard.ts'
import type { DeliverySettings, FromDeliverer, ToDeliverer } from '../../../delivery/thread-messages.ts'
import { chance } from '../../../lib/chance.ts'
import { systemClock } from '../../../lib/clock.ts'
import { everyInterval, type PeriodicWork } from '../../../lib/interval.ts'
import { handedOnLog } from '../../../lib/log.ts'
import { reportWriter } from '../../../operations/report/report-writer.ts'
import { SqliteAccountStore } from '../account/account-store.ts'
import { type Connection, openConnection, openReader } from '../database/connection.ts'
import { readWaiting } from '../processing/backlog.ts'
import { SqliteFigureReader } from '../report/figure-reader.ts'
import { deliveryCounts } from './delivery-counts.ts'
import { SqliteLeadReader } from './lead-reader.ts'
import { SqliteOutbox } from './outbox.ts'
import { SqliteReplyConsent } from './reply-consent.ts'
import { ReportSchedule } from './report-schedule.ts'

/** How often to look for changes: one pragma, and nothing else if nothing changed. */
const turnMs = 200
/** How often to look for due reports. */
const scheduleMs = 5000
/** How often deliveries are counted for `/metrics`. */
const countMs = 5000
/** How long attempts under way may take to end when the service stops, or another process waits to take over. */
const stopMsMax = 1000

interface Work {
  deliverer: Deliverer
  turns: PeriodicWork[]
  connections: Connection[]
}

/** The delivering thread's side: its database and its turns. */
export class DeliveryWorkplace {
  private work: Work | null = null

  constructor(private readonly post: (message: FromDeliverer) => void) {}

  receive(message: ToDeliverer): void {
    if ('begin' in message) this.begin(message.begin)
    else void this.close()
  }

  private begin(settings: DeliverySettings): void {
    const { databaseFile, ca, mailServer, baseTemplate } = settings
    const connection = openConnection(databaseFile, { durable: false })
    const reader = openReader(databaseFile)
    const http = { guard: systemGuard(settings), lookup: systemLookup, ca, now: systemClock.now }
    const replies = {
      mailServer,
      consent: new SqliteReplyConsent(reader.raw),
      baseOf: (host: string) => baseTemplate.replace('{host}', host),
      clock: systemClock,
    }
    const log = handedOnLog((line) => this.post({ log: line }))
    const deliverer = new Deliverer({
      outbox: new SqliteOutbox(connection),
      leads: new SqliteLeadReader(reader),
      reports: reportsOf(reader),
      carriers: carriersOf({ http, mailServer, replies, clock: systemClock }),
      clock: systemClock,
      random: chance,
      log,
    })
    const schedule = new ReportSchedule(connection, reader, systemClock)
    this.work = {
      deliverer,
      turns: [
        everyInterval(turnMs, () => deliverer.turn(), log),
        everyInterval(scheduleMs, () => schedule.turn(), log),
        everyInterval(countMs, async () => this.post({ counts: deliveryCounts(reader) }), log),
      ],
      connections: [reader, connection],
    }
  }

  private async close(): Promise<void> {
    const { work } = this
    this.work = null
    if (work !== null) {
      await Promise.all([...work.turns.map((turns) => turns.stop()), work.deliverer.stop(stopMsMax)])
      for (const { raw } of work.connections) raw.close()
    }
    this.post({ closed: true })
  }
}

const reportsOf = (reader: Connection): ReportWriter =>
  reportWriter({
    accounts: new SqliteAccountStore(reader, systemClock),
    figures: new SqliteFigureReader(reader),
    clock: systemClock,
    waiting: async () => readWaiting(reader).waiting,
  })
