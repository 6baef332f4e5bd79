import { eq } from 'drizzle-orm'
import type { AccountSettings } from '../../../account/account.ts'
import type { Form } from '../../../account/form.ts'
import { type AskedLead, type Lead, type LeadReader, leadFields } from '../../../delivery/lead.ts'
import type { Submission } from '../../../ledger/entry.ts'
import { UnreadableEntry } from '../../../ledger/ledger.ts'
import type { JsonObject } from '../../../lib/json-value.ts'
import { isJsonObject, parseLosslessText } from '../../../lib/lossless-json.ts'
import { readMailAddress } from '../../../lib/mail-address.ts'
import { type SubmissionRecord, submissionRecord } from '../../../report/record.ts'
import type { Connection } from '../database/connection.ts'
import { isDamage } from '../database/damage.ts'
import { SqliteFactReader } from '../report/fact-reader.ts'
import { SqliteSubmissionReader } from '../report/submission-reader.ts'
import { account } from '../schema/account-schema.ts'

interface NamedAccount {
  id: string
  handle: string
  settings: Pick<AccountSettings, 'name' | 'domains' | 'timezone' | 'language' | 'contact' | 'brand'>
}

/** Leads as exports have them, read beside the writer. */
export class SqliteLeadReader implements LeadReader {
  private readonly submissions: SqliteSubmissionReader
  private readonly facts: SqliteFactReader

  /**
   * @param consoleBase how addresses of the console begin; `null`: it has no host of its own
   * @param messageIn the rule by which the console finds the message, too
   */
  constructor(
    private readonly reader: Connection,
    private readonly consoleBase: string | null,
    private readonly messageIn: (record: SubmissionRecord, form: Form | null) => { text: string } | null,
  ) {
    this.submissions = new SqliteSubmissionReader(reader)
    this.facts = new SqliteFactReader(reader)
  }

  async leads(accountId: string, submissions: readonly AskedLead[]): Promise<(Lead | null)[]> {
    const named = this.account(accountId)
    if (named === null) return submissions.map(() => null)
    return Promise.all(submissions.map((asked) => this.lead(named, asked)))
  }

  private async lead(named: NamedAccount, { submissionId: id, isBackfilled }: AskedLead): Promise<Lead | null> {
    const found = await this.submissions.find(named.id, id).catch((error: unknown) => {
      // Others are delivered all the same.
      if (error instanceof UnreadableEntry || isDamage(error)) return null
      throw error
    })
    if (found === null) return null
    const { submission, row } = found
    const [facts] = await this.facts.about(named.id, [row])
    if (facts === undefined) return null
    const record = submissionRecord(submission, facts)
    const version = await this.submissions.formVersion(named.id, submission.formId, submission.formVersion)
    const isDuplicate = record.duplicateOf !== null
    const link = this.consoleBase === null ? null : `${this.consoleBase}/a/${named.handle}/s/${id}`
    const form = version?.form ?? null
    const message = this.messageIn(record, form)?.text ?? null
    return leadOf(named, submission, { form, message, isDuplicate, isBackfilled, link, record: asJson(record) })
  }

  private account(id: string): NamedAccount | null {
    const { db } = this.reader
    const columns = { id: account.id, handle: account.handle, settings: account.settings }
    return db.select(columns).from(account).where(eq(account.id, id)).get() ?? null
  }
}

/** As it would be read back from an export. */
function asJson(record: SubmissionRecord): JsonObject {
  const json = parseLosslessText(JSON.stringify(record))
  if (!isJsonObject(json)) throw new TypeError('a record is an object')
  return json
}

interface LeadParts extends Pick<Lead, 'message' | 'isBackfilled' | 'link'> {
  /** The form as it was when the visitor sent it; `null`: its definition is lost. */
  form: Form | null
  isDuplicate: boolean
  record: JsonObject
}

function leadOf(
  { id, handle, settings }: NamedAccount,
  submission: Submission,
  { form, message, isDuplicate, isBackfilled, link, record }: LeadParts,
): Lead {
  return {
    accountId: id,
    accountName: settings.name,
    handle,
    domain: settings.domains[0] ?? '',
    timezone: settings.timezone,
    language: settings.language,
    colour: settings.brand.colour,
    credit: settings.brand.credit,
    contact: readMailAddress(settings.contact ?? ''),
    formId: submission.formId,
    formName: form?.name ?? submission.formId,
    fields: leadFields(submission.fields, { schema: form?.schema ?? {}, hidden: submission.honeypot?.field ?? null }),
    message,
    replyTo: submission.email,
    receivedAt: submission.receivedAt,
    submissionId: submission.id,
    duplicate: isDuplicate,
    isBackfilled,
    link,
    record,
  }
}
