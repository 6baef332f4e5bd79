import type { Click, ClickVerdict, Entry, PageView, TrackedEvent } from '../../../src/ledger/entry.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { RejudgedClicks } from '../../../src/processing/processing.ts'
import { SqliteClickRejudging } from '../../../src/storage/sqlite/processing/click-rejudging.ts'
import { ProcessingSteps } from '../../../src/storage/sqlite/steps/step.ts'
import { type ClickRules, clickRules } from '../../../src/verdict/click-verdict.ts'
import { Verdicts } from '../../../src/verdict/verdicts.ts'
import * as sample from '../../report/sample-entries.ts'
import { storeEntries } from '../../storage/sqlite/stored-entries.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'

export const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const otherBrowser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'

/** When the mailing was long sent. */
const start = Date.UTC(2026, 10, 20, 12)

interface Where {
  seconds?: number
  device?: string
  agent?: string
  ip?: string | null
  accountId?: string
}

const base = ({
  seconds = 0,
  device = 'ada',
  agent = browser,
  ip = '203.0.113.7',
  accountId = 'account-a',
}: Where) => ({
  id: Bun.randomUUIDv7(),
  accountId,
  deviceId: device,
  receivedAt: start + seconds * 1000,
  source: { ...sample.source, userAgent: agent, ip },
})

/** A person's browser follows the link of a mail that was signed for one recipient. */
export const click = ({
  to = 'launch',
  recipient = 'to-ada',
  message = 'november',
  headers = {},
  method = 'GET',
  ...where
}: Where & {
  to?: string
  recipient?: string | null
  message?: string | null
  headers?: Record<string, string>
  method?: string
} = {}): Click =>
  sample.click({
    ...base(where),
    message,
    recipient,
    sentAt: start - 86_400_000,
    url: to.startsWith('https:') ? to : `https://go.acme.example/${to}`,
    verdict: 'human',
    reasons: [],
    evidence: { method, headers: { 'user-agent': where.agent ?? browser, 'accept-language': 'en', ...headers } },
  })

export const view = (where: Where = {}): PageView => sample.pageView(base(where))
export const event = (where: Where = {}): TrackedEvent => sample.trackedEvent(base(where))

type Counted = Record<string, number>

/** A database, and processing over it. */
export class ClickWorld implements AsyncDisposable {
  private readonly database = new TemporaryDatabase()
  private readonly connection = this.database.connect()
  private readonly steps = new ProcessingSteps(this.connection, systemClock)

  private readonly accountIds = new Set<string>()

  /** Captures the entries in this order, and processes them. */
  happen(...entries: Entry[]): void {
    for (const { accountId } of entries) this.addAccount(accountId)
    storeEntries(this.database.file, entries)
    for (let step = 0; this.steps.run(1000) === 'more'; step++) if (step > 100) throw new Error('it never ends')
  }

  /** Today's verdict of a click, and why. */
  judgement({ id }: Click): { verdict: ClickVerdict; reasons: string[] } {
    const row = this.rows<{ verdict: ClickVerdict; reasons: string }>(
      'SELECT verdict, reasons FROM click_fact JOIN ledger USING (sequence) WHERE id = ?',
      id,
    ).at(0)
    if (!row) throw new Error('the click was not processed')
    return { verdict: row.verdict, reasons: JSON.parse(row.reasons) }
  }

  verdicts(...clicks: Click[]): ClickVerdict[] {
    return clicks.map((one) => this.judgement(one).verdict)
  }

  rejudge(rules: ClickRules = clickRules, accountId = 'account-a'): Promise<RejudgedClicks> {
    return new SqliteClickRejudging(this.connection, systemClock, new Verdicts(rules)).rejudge(accountId)
  }

  /** The figures of clicks that are not zero, and what counting the clicks themselves gives. */
  figures(): { kept: Counted; counted: Counted } {
    const kept = this.rows<Figure>(
      "SELECT account_row, day, measure, name, count FROM day_figure WHERE measure LIKE 'click_%' AND count <> 0",
    )
    const counted = this.rows<Figure>(
      `SELECT account_row, day, 'click_' || verdict AS measure, message AS name, count(*) AS count
       FROM click_fact GROUP BY account_row, day, verdict, message`,
    )
    return { kept: named(kept), counted: named(counted) }
  }

  /** The verdicts as the ledger has them: those of capture. */
  captured(): ClickVerdict[] {
    return this.rows<{ record: string }>('SELECT record FROM ledger WHERE kind = 4').map(
      ({ record }) => JSON.parse(record).verdict,
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.database[Symbol.asyncDispose]()
  }

  private addAccount(id: string): void {
    if (!this.accountIds.has(id)) this.database.addAccount(id)
    this.accountIds.add(id)
  }

  private rows<R>(sql: string, ...values: string[]): R[] {
    return this.connection.raw.query<R, string[]>(sql).all(...values)
  }
}

interface Figure {
  account_row: number
  day: number
  measure: string
  name: string
  count: number
}

const named = (figures: Figure[]): Counted =>
  Object.fromEntries(
    figures.map(({ account_row, day, measure, name, count }) => [`${account_row} ${day} ${measure} ${name}`, count]),
  )
