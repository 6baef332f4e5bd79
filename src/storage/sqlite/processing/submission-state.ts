import { and, asc, between, desc, eq, lte, sql } from 'drizzle-orm'
import type { Submission } from '../../../ledger/entry.ts'
import type { DeviceKey } from '../../../processing/device-state.ts'
import type { Receipt } from '../../../processing/receipt.ts'
import type {
  SubmissionFact,
  SubmissionOrigin,
  SubmissionState,
} from '../../../processing/submissions/submission-state.ts'
import type { Connection } from '../connection.ts'
import { entryKinds } from '../ledger-codec.ts'
import { ledger } from '../schema.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { submissionFact } from './fact-schema.ts'
import { deviceEntry } from './schema.ts'

export class SqliteSubmissionState implements SubmissionState {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    connection: Connection,
    private readonly underWay: EntryUnderWay,
  ) {
    this.statements = prepareStatements(connection)
  }

  add({ id, formId, status }: Submission, fact: SubmissionFact): void {
    const { sequence, accountRow, receivedAt } = this.underWay
    const { deviceRow, ...columns } = factColumns(fact)
    this.statements.add.run({ sequence, accountRow, id, formId, receivedAt, status, deviceRow, ...columns })
  }

  replace(fact: SubmissionFact): void {
    this.statements.replace.run({ sequence: this.underWay.sequence, ...factColumns(fact) })
  }

  alike(
    fingerprint: string,
    { from, to }: { from: number; to: number },
  ): { id: string; duplicateOf: string | null } | null {
    const { accountRow } = this.underWay
    return this.statements.alike.get({ accountRow, fingerprint, from, to }) ?? null
  }

  after(device: DeviceKey, { at, id }: Receipt, { limit }: { limit: number }): ReturnType<SubmissionState['after']> {
    return this.statements.after.all({ deviceRow: device, at, id, limit }).map((row) => ({
      receipt: { at: row.receivedAt, id: row.id },
      page: pageOf(row),
      counted: row.leadDay === null ? null : { day: row.leadDay, source: row.leadSource },
    }))
  }

  amend(id: string, origin: SubmissionOrigin & { counted: SubmissionFact['counted'] }): void {
    const { accountRow } = this.underWay
    this.statements.amend.run({ accountRow, id, ...originColumns(origin) })
  }

  pageServed(device: DeviceKey, at: number): SubmissionOrigin['page'] {
    const row = this.statements.pageServed.get({ deviceRow: device, at })
    return row === undefined ? null : pageOf(row)
  }
}

/** What is no JSON any more says nothing; asked, SQLite would fail the submission under way. */
const readable = sql`CASE WHEN json_valid(${ledger.record}) THEN ${ledger.record} END`

interface PageColumns {
  pageAt: number | null
  pageSlug: string | null
  pageSha256: string | null
}

const pageOf = ({ pageAt, pageSlug, pageSha256 }: PageColumns): SubmissionOrigin['page'] =>
  pageAt === null || pageSlug === null || pageSha256 === null
    ? null
    : { at: pageAt, slug: pageSlug, sha256: pageSha256 }

const factColumns = (fact: SubmissionFact) => ({
  personRow: fact.person,
  deviceRow: fact.device,
  fingerprint: fact.fingerprint,
  duplicateOf: fact.duplicateOf,
  ...originColumns(fact),
})

/** Touches as the text they are stored as: an update takes no other placeholder. */
const originColumns = ({ first, last, page, counted }: SubmissionOrigin & { counted: SubmissionFact['counted'] }) => ({
  firstTouch: first && JSON.stringify(first),
  lastTouch: last && JSON.stringify(last),
  pageAt: page?.at ?? null,
  pageSlug: page?.slug ?? null,
  pageSha256: page?.sha256 ?? null,
  leadDay: counted?.day ?? null,
  leadSource: counted?.source ?? null,
})

function prepareStatements({ db }: Connection) {
  const value = (name: string) => sql`${sql.placeholder(name)}`
  const origin = {
    firstTouch: value('firstTouch'),
    lastTouch: value('lastTouch'),
    pageAt: value('pageAt'),
    pageSlug: value('pageSlug'),
    pageSha256: value('pageSha256'),
    leadDay: value('leadDay'),
    leadSource: value('leadSource'),
  }
  const fact = {
    personRow: value('personRow'),
    deviceRow: value('deviceRow'),
    fingerprint: value('fingerprint'),
    duplicateOf: value('duplicateOf'),
    ...origin,
  }
  return {
    add: db
      .insert(submissionFact)
      .values({
        sequence: value('sequence'),
        accountRow: value('accountRow'),
        id: value('id'),
        formId: value('formId'),
        receivedAt: value('receivedAt'),
        status: value('status'),
        ...fact,
      })
      .prepare(),
    replace: db
      .update(submissionFact)
      .set(fact)
      .where(eq(submissionFact.sequence, value('sequence')))
      .prepare(),
    amend: db
      .update(submissionFact)
      .set(origin)
      .where(and(eq(submissionFact.accountRow, value('accountRow')), eq(submissionFact.id, value('id'))))
      .prepare(),
    alike: db
      .select({ id: submissionFact.id, duplicateOf: submissionFact.duplicateOf })
      .from(submissionFact)
      .where(
        and(
          eq(submissionFact.accountRow, value('accountRow')),
          eq(submissionFact.fingerprint, value('fingerprint')),
          between(submissionFact.receivedAt, value('from'), value('to')),
        ),
      )
      .orderBy(asc(submissionFact.receivedAt), asc(submissionFact.sequence))
      .limit(1)
      .prepare(),
    after: db
      .select({
        id: submissionFact.id,
        receivedAt: submissionFact.receivedAt,
        pageAt: submissionFact.pageAt,
        pageSlug: submissionFact.pageSlug,
        pageSha256: submissionFact.pageSha256,
        leadDay: submissionFact.leadDay,
        leadSource: submissionFact.leadSource,
      })
      .from(submissionFact)
      .where(
        and(
          eq(submissionFact.deviceRow, value('deviceRow')),
          sql`(${submissionFact.receivedAt}, ${submissionFact.id}) > (${value('at')}, ${value('id')})`,
        ),
      )
      .orderBy(asc(submissionFact.receivedAt), asc(submissionFact.id))
      .limit(sql.placeholder('limit'))
      .prepare(),
    pageServed: db
      .select({
        pageAt: deviceEntry.receivedAt,
        pageSlug: sql<string | null>`${readable} ->> '$.slug'`,
        pageSha256: sql<string | null>`${readable} ->> '$.sha256'`,
      })
      .from(deviceEntry)
      .innerJoin(ledger, eq(ledger.sequence, deviceEntry.sequence))
      .where(
        and(
          eq(deviceEntry.deviceRow, value('deviceRow')),
          lte(deviceEntry.receivedAt, value('at')),
          eq(deviceEntry.kind, entryKinds.page_view),
        ),
      )
      .orderBy(desc(deviceEntry.receivedAt), desc(deviceEntry.sequence))
      .limit(1)
      .prepare(),
  }
}
