import { sql } from 'drizzle-orm'
import type { Submission } from '../../../ledger/entry.ts'
import type { SubmissionFact, SubmissionState } from '../../../processing/submissions/submission-state.ts'
import type { Connection } from '../connection.ts'
import type { EntryUnderWay } from './entry-under-way.ts'
import { submissionFact } from './schema.ts'

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
    this.statements.add.run({
      sequence,
      accountRow,
      id,
      formId,
      receivedAt,
      status,
      personRow: fact.person,
      deviceRow: fact.device,
      fingerprint: fact.fingerprint,
      duplicateOf: fact.duplicateOf,
      firstTouch: fact.first,
      lastTouch: fact.last,
      pageSlug: fact.page?.slug ?? null,
      pageSha256: fact.page?.sha256 ?? null,
      leadDay: fact.lead?.day ?? null,
      leadSource: fact.lead?.source ?? null,
    })
  }
}

function prepareStatements({ db }: Connection) {
  const value = sql.placeholder
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
        personRow: value('personRow'),
        deviceRow: value('deviceRow'),
        fingerprint: value('fingerprint'),
        duplicateOf: value('duplicateOf'),
        firstTouch: value('firstTouch'),
        lastTouch: value('lastTouch'),
        pageSlug: value('pageSlug'),
        pageSha256: value('pageSha256'),
        leadDay: value('leadDay'),
        leadSource: value('leadSource'),
      })
      .prepare(),
  }
}
