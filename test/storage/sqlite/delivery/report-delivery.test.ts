// A report on its way: due by the clock, put into the outbox, made once, mailed to a real SMTP server (docs/reports.md).
import { describe, expect, test } from 'bun:test'
import { carriersOf } from '../../../../src/delivery/carriers.ts'
import { Deliverer } from '../../../../src/delivery/deliverer.ts'
import type { Clock } from '../../../../src/lib/clock.ts'
import { reportWriter } from '../../../../src/operations/report/report-document.ts'
import { SqliteAccountStore } from '../../../../src/storage/sqlite/account/account-store.ts'
import { SqliteLeadReader } from '../../../../src/storage/sqlite/delivery/lead-reader.ts'
import { SqliteOutbox } from '../../../../src/storage/sqlite/delivery/outbox.ts'
import { ReportSchedule } from '../../../../src/storage/sqlite/delivery/report-schedule.ts'
import { SqliteFigureReader } from '../../../../src/storage/sqlite/report/figure-reader.ts'
import { aServer } from '../../../delivery/mail/a-mail.ts'
import { type ReceivedMail, TestMailServer } from '../../../harness/mail-server.ts'
import { submission } from '../../../report/sample-entries.ts'
import { storeEntries } from '../stored-entries.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const firstOfNovember = Date.parse('2026-11-01T06:00:00Z')
/** By the held clock nothing is tried again, so that the first fault ends a test. */
const log = {
  debug() {},
  info() {},
  warn() {},
  error(message: string): never {
    throw new Error(message)
  },
}

/** Without the soft line breaks of quoted-printable. */
const unwrapped = (mail: ReceivedMail | undefined): string => mail?.raw.replaceAll('=\r\n', '') ?? ''

/** A box whose account `acme`, at home in Berlin, has had a monthly report as destination since then. */
class AReportingBox implements AsyncDisposable {
  readonly database = new TemporaryDatabase()
  readonly clock: Clock & { at: number }
  readonly connection = this.database.connect()

  constructor({ at = firstOfNovember, since = '2026-10-02T12:00:00Z' } = {}) {
    this.clock = { at, now: () => this.clock.at, monotonicMs: () => this.clock.at }
    this.database.addAccount('acme', 'Europe/Berlin')
    this.connection.raw.run(`UPDATE account SET settings = json_set(settings, '$.name', 'Acme Studio')`)
    const definition = { kind: 'report', name: 'monthly', to: ['owner@acme.example'], every: 'month' }
    this.connection.raw.run(
      `INSERT INTO destination (account_row, name, definition, created_at) VALUES (1, 'monthly', ?, ?)`,
      [JSON.stringify(definition), Date.parse(since)],
    )
  }

  count(date: string, measure: string, count: number): void {
    this.connection.raw.run(`INSERT INTO day_figure VALUES (1, ?, ?, '', ?)`, [
      Date.parse(date) / 86_400_000,
      measure,
      count,
    ])
  }

  schedule(): ReportSchedule {
    return new ReportSchedule(this.database.connect(), this.database.reader(), this.clock)
  }

  /** As the delivering thread has it. */
  deliverer(port: number, error: (message: string) => void = log.error): Deliverer {
    const reader = this.database.reader()
    const { clock } = this
    const mailServer = aServer({ port })
    const http = { guard: { judge: () => 'closed' }, lookup: async () => [], ca: null, now: clock.now } as never
    return new Deliverer({
      outbox: new SqliteOutbox(this.database.connect()),
      leads: new SqliteLeadReader(reader, null, () => null),
      reports: reportWriter({
        accounts: new SqliteAccountStore(reader, clock),
        figures: new SqliteFigureReader(reader),
        clock,
        waiting: async () => 0,
      }),
      carriers: carriersOf({ http, mailServer, replies: null, fileUrl: null, clock }),
      clock,
      random: () => 0.5,
      log: { ...log, error },
    })
  }

  periods(): unknown[] {
    return this.connection.raw.query('SELECT period, state FROM delivery ORDER BY row').all()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.database[Symbol.asyncDispose]()
  }
}

describe('a report that is due', () => {
  test('is put into the outbox once, by whoever looks how often', async () => {
    await using box = new AReportingBox()
    await Promise.all([box.schedule().turn(), box.schedule().turn()])
    await box.schedule().turn()
    expect(box.periods()).toEqual([{ period: '2026-10', state: 'waiting' }])
  })

  test('is not due a moment before, nor for a destination that was removed or paused', async () => {
    await using box = new AReportingBox({ at: firstOfNovember - 1 })
    await box.schedule().turn()
    box.clock.at = firstOfNovember
    for (const column of ['removed_at', 'paused_at']) {
      box.connection.raw.run(`UPDATE destination SET removed_at = NULL, paused_at = NULL`)
      box.connection.raw.run(`UPDATE destination SET ${column} = 1`)
      await box.schedule().turn()
    }
    expect(box.periods()).toEqual([])
  })

  test('waits a while for records of its time to be processed, and not for those behind it', async () => {
    await using box = new AReportingBox()
    const schedule = box.schedule()
    storeEntries(box.database.file, [submission({ accountId: 'acme', receivedAt: firstOfNovember - 60_000 })])
    await schedule.turn()
    expect(box.periods()).toEqual([])
    box.clock.at += 15 * 60_000
    await schedule.turn()
    expect(box.periods()).toHaveLength(1)

    await using later = new AReportingBox()
    storeEntries(later.database.file, [submission({ accountId: 'acme', receivedAt: firstOfNovember + 1000 })])
    await later.schedule().turn()
    expect(later.periods()).toHaveLength(1)
  })

  test('arrives with figures, pictures and plain text', async () => {
    await using box = new AReportingBox()
    await using server = await TestMailServer.start()
    box.count('2026-09-01', 'visit', 100)
    box.count('2026-10-05', 'visit', 150)
    box.count('2026-10-05', 'lead', 3)
    await box.schedule().turn()
    const deliverer = box.deliverer(server.port)
    await deliverer.turn()
    await deliverer.settled()
    const [mail] = server.received
    const raw = unwrapped(mail)
    expect(mail?.to).toEqual(['owner@acme.example'])
    const wanted = [
      'Subject: Acme Studio: October 2026, 3 leads',
      'Message-ID: <report.2026-10.acme.monthly@agency.example>',
      'Content-ID: <chart-1>',
      'src=3D"cid:chart-1"',
      '150 visits, 50% more than in September',
    ]
    expect(wanted.filter((text) => !raw.includes(text))).toEqual([])
    expect(box.periods()).toEqual([{ period: '2026-10', state: 'delivered' }])
  })

  test('has its turn, though what belongs to another account cannot be read', async () => {
    await using box = new AReportingBox()
    await using server = await TestMailServer.start()
    box.database.addAccount('other', 'Europe/Berlin')
    box.connection.raw.run(
      `INSERT INTO destination (account_row, name, definition, created_at)
       SELECT 2, name, definition, created_at FROM destination`,
    )
    await box.schedule().turn()
    box.connection.raw.run(`UPDATE account SET settings = '{' WHERE id = 'acme'`)
    const errors: string[] = []
    const deliverer = box.deliverer(server.port, (message) => errors.push(message))
    await deliverer.turn()
    await deliverer.settled()
    expect(errors).toContain('Deliveries cannot be read or stored; retrying.')
    expect(box.connection.raw.query('SELECT attempts FROM delivery ORDER BY destination_row').values()).toEqual([
      [0],
      [1],
    ])
  })

  test('is the same on every try, whatever is counted meanwhile', async () => {
    await using box = new AReportingBox()
    let busy = true
    await using server = await TestMailServer.start({ refuseMessage: () => (busy ? 451 : null) })
    box.count('2026-10-05', 'visit', 150)
    await box.schedule().turn()
    const deliverer = box.deliverer(server.port)
    await deliverer.turn()
    await deliverer.settled()
    await deliverer.turn()
    expect(box.connection.raw.query('SELECT attempts FROM delivery').all()).toEqual([{ attempts: 1 }])
    box.count('2026-10-06', 'visit', 1000)
    busy = false
    box.clock.at += 60_000
    // As after a crash: nothing of the first try is left in memory.
    const another = box.deliverer(server.port)
    await another.turn()
    await another.settled()
    const [mail] = server.received
    expect(['150 visits', '1,150'].map((text) => unwrapped(mail).includes(text))).toEqual([true, false])
  })

  test('comes after the fact when the box was off, for each period that it missed', async () => {
    await using box = new AReportingBox({ at: Date.parse('2026-12-20T12:00:00Z'), since: '2026-09-15T12:00:00Z' })
    await box.schedule().turn()
    expect(box.periods()).toEqual(['2026-09', '2026-10', '2026-11'].map((period) => ({ period, state: 'waiting' })))
  })
})
