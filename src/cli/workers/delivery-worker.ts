import { fileLinkLivesMs, fileLinkPath, fileLinkToken } from '../../account/file-link.ts'
import { carriersOf } from '../../delivery/carriers.ts'
import { Deliverer, type DeliveryNotice, type DeliverySettings } from '../../delivery/deliverer.ts'
import type { Lead } from '../../delivery/lead.ts'
import { ReceiverNotices } from '../../delivery/receiver-notices.ts'
import type { ReportWriter } from '../../delivery/report-letter.ts'
import { chance } from '../../lib/chance.ts'
import { systemClock } from '../../lib/clock.ts'
import { everyInterval } from '../../lib/interval.ts'
import { reportWriter } from '../../operations/report/report-document.ts'
import { messageIn } from '../../operations/submission/message-field.ts'
import { systemGuard, systemLookup } from '../../outbound/guard.ts'
import { SqliteAccountStore } from '../../storage/sqlite/account/account-store.ts'
import { currentKey, SqliteReplyConsent } from '../../storage/sqlite/account/reply-consent.ts'
import { type Connection, openConnection, openReader } from '../../storage/sqlite/database/connection.ts'
import { SqliteLeadReader } from '../../storage/sqlite/delivery/lead-reader.ts'
import { deliveryCounts, SqliteOutbox } from '../../storage/sqlite/delivery/outbox.ts'
import { SqliteReceiverNotices } from '../../storage/sqlite/delivery/receiver-notice-rows.ts'
import { ReportSchedule } from '../../storage/sqlite/delivery/report-schedule.ts'
import { SqliteFigureReader } from '../../storage/sqlite/report/figure-reader.ts'
import { readWaiting } from '../../storage/sqlite/steps/processing.ts'
import { workInThread } from '../threads/service-thread.ts'

/** How often to look for changes: one pragma, and nothing else if nothing changed. */
const turnMs = 200
const noticeMs = 1000
const scheduleMs = 5000
/** How often deliveries are counted for `/metrics`. */
const countMs = 5000
/** How long attempts under way may take to end when the service stops, or another process waits to take over. */
const stopMsMax = 1000

workInThread<DeliverySettings, DeliveryNotice>(async (settings, { post, log }) => {
  const { databaseFile, ca, mailServer, baseTemplate, consoleBase } = settings
  const connection = openConnection(databaseFile, { durable: false })
  const reader = openReader(databaseFile)
  const http = { guard: systemGuard(settings), lookup: systemLookup, ca, now: systemClock.now }
  const replies = {
    mailServer,
    consent: new SqliteReplyConsent(reader.raw),
    baseOf: (host: string) => baseTemplate.replace('{host}', host),
    clock: systemClock,
  }
  const deliverer = new Deliverer({
    outbox: new SqliteOutbox(connection),
    leads: new SqliteLeadReader(reader, consoleBase, messageIn),
    reports: reportsOf(reader),
    carriers: carriersOf({ http, mailServer, replies, fileUrl: fileUrls(reader, baseTemplate), clock: systemClock }),
    clock: systemClock,
    random: chance,
    log,
  })
  const schedule = new ReportSchedule(connection, reader, systemClock)
  const notices =
    mailServer === null
      ? null
      : new ReceiverNotices({
          notices: new SqliteReceiverNotices(connection),
          mailServer,
          clock: systemClock,
          random: chance,
          log,
        })
  const noticing = notices === null ? null : everyInterval(noticeMs, () => notices.turn(), log)
  const turns = [
    everyInterval(turnMs, () => deliverer.turn(), log),
    everyInterval(scheduleMs, () => schedule.turn(), log),
    everyInterval(countMs, async () => post({ counts: deliveryCounts(reader) }), log),
  ]
  return {
    async close() {
      await Promise.all([
        ...turns.map((turn) => turn.stop()),
        deliverer.stop(stopMsMax),
        Promise.race([noticing?.stop(), Bun.sleep(stopMsMax)]),
      ])
      notices?.stop()
      for (const { raw } of [reader, connection]) raw.close()
    },
  }
})

/** A file's address on the account's first domain, for the days after the first try. */
const fileUrls =
  ({ raw }: Connection, baseTemplate: string) =>
  ({ accountId, domain, submissionId }: Lead, fileId: string): string => {
    const signing = { accountId, expiresAt: systemClock.now() + fileLinkLivesMs, key: currentKey(raw, 'preview') }
    const base = baseTemplate.replace('{host}', domain)
    return base + fileLinkPath + fileLinkToken({ submissionId, fileId }, signing)
  }

function reportsOf(reader: Connection): ReportWriter {
  return reportWriter({
    accounts: new SqliteAccountStore(reader, systemClock),
    figures: new SqliteFigureReader(reader),
    clock: systemClock,
    waiting: async () => readWaiting(reader).waiting,
  })
}
