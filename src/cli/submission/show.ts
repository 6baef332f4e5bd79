import { OperatorError } from '../../lib/operator-error.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { submissionNamed } from '../../operations/submission/submission-named.ts'
import { defineCommand, usageError } from '../command.ts'
import type { CommandBox } from '../open.ts'
import { toJson } from '../output/json.ts'
import { standardOutputName } from '../output/out-file.ts'
import { styleFor } from '../output/style.ts'
import { isPageHeld, pageBytes, writePageBytes } from '../page-bytes.ts'
import { type Receipt, receiptText } from './receipt-text.ts'

export const submissionShow = defineCommand({
  name: 'submission show',
  summary: 'Prints the receipt of one submission: what was sent, when, from where, under which form and consent text',
  details: `Where the device had been served a landing page before, the receipt names it, and --page-bytes writes the page exactly as
it was served then: to FILE, or with - to standard output in place of the receipt.
--json prints the record as \`capture export\` does, and "account", "releasedAt", "form": { "name", "publishedAt",
"definition" }, "pageKept": true|false|null.
  capture submission show acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed --page-bytes as-served.html`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the submission's id" } },
  options: { pageBytes: { value: 'FILE', summary: 'write the landing page as it was served; -: to standard output' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const target = options.pageBytes
    if (json && target === standardOutputName) {
      throw usageError('--json and --page-bytes - exclude each other: both print to standard output.')
    }
    const { withBox } = await import('../with-box.ts')
    const { catchUp } = await import('../record/catch-up.ts')
    await withBox(session, async (box) => {
      const account = await accountNamed(box.accounts, args.account)
      await catchUp(box.processing, session)
      const receipt = await readReceipt(box, account, args.id)
      if (target !== undefined) {
        await writePageBytes(await pageBytes(box.assets, servedPage(receipt)), target, box.dataDir, session)
        if (target === standardOutputName) return
      }
      const style = styleFor(session.out, session.env)
      await session.out.write(json ? toJson(asResult(receipt)) : receiptText(receipt, style, session.out.columns))
    })
    return 0
  },
})

async function readReceipt(
  { submissions, findings, assets }: Pick<CommandBox, 'submissions' | 'findings' | 'assets'>,
  account: Receipt['account'],
  id: string,
): Promise<Receipt> {
  const { nothingFound } = await import('../../report/findings.ts')
  const { submissionRecord } = await import('../../report/record.ts')
  const { row, submission, releasedAt } = await submissionNamed(submissions, account, id)
  const [finding = nothingFound] = await findings.about(account.id, [row])
  const record = submissionRecord(submission, finding)
  return {
    account,
    record,
    releasedAt,
    isProcessed: finding.submission !== null,
    form: await submissions.formVersion(account.id, submission.formId, submission.formVersion),
    pageKept: record.page === null ? null : await isPageHeld(assets, record.page.sha256),
  }
}

function servedPage({ record: { page, submissionId } }: Receipt): { slug: string; sha256: string } {
  if (page !== null) return page
  throw new OperatorError(
    `No landing page of the account is known to have been served to the device of ${submissionId} before: there are no page bytes.`,
  )
}

function asResult({ account, record, releasedAt, form, pageKept }: Receipt) {
  const { id: _id, version: _version, ...definition } = form?.form ?? {}
  return {
    account: account.handle,
    ...record,
    releasedAt: releasedAt === null ? null : new Date(releasedAt).toISOString(),
    form: form && { name: form.form.name, publishedAt: new Date(form.publishedAt).toISOString(), definition },
    pageKept,
  }
}
