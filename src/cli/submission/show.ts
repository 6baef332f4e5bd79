import { resolve } from 'node:path'
import { byteSize } from '../../lib/quantities.ts'
import type { SubmissionReceipt } from '../../operations/submission/show-submission.ts'
import { defineCommand, usageError } from '../command.ts'
import { printable } from '../output/printable.ts'
import { standardOutputName } from '../output/streams.ts'
import type { Session } from '../session.ts'
import { receiptText } from './receipt-text.ts'

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
  async run({ args, options, json }, session) {
    const target = options.pageBytes
    if (json && target === standardOutputName) {
      throw usageError('--json and --page-bytes - exclude each other: both print to standard output.')
    }
    const { servedPage } = await import('../../operations/submission/served-page.ts')
    const { showSubmission } = await import('../../operations/submission/show-submission.ts')
    const { noticesTo } = await import('../record/record-notices.ts')
    const onNotice = noticesTo(session.err)
    const receipt = await session.withBox(async (box) => {
      const found = await showSubmission(box, args, onNotice)
      if (target !== undefined) await writePage(await servedPage(box, found.record), target, session)
      return found
    })
    if (target === standardOutputName) return 0
    return { json: asResult(receipt), text: (layout) => receiptText(receipt, layout) }
  },
})

/** The bytes and nothing else, to a file, or to standard output where `target` is `-`. */
async function writePage(bytes: Uint8Array, target: string, session: Session): Promise<void> {
  if (target === standardOutputName) return session.out.write(bytes)
  const path = resolve(session.cwd, target)
  const { config } = await session.loadConfig()
  const { writeOutFile } = await import('../../storage/filesystem/out-file.ts')
  await writeOutFile(path, config.dataDir, [bytes])
  session.err.write(`${printable(`Wrote the page as it was served to ${path} (${byteSize(bytes.byteLength)}).`)}\n`)
}

function asResult({ account, record, releasedAt, form, pageKept }: SubmissionReceipt) {
  const { id: _id, version: _version, ...definition } = form?.form ?? {}
  return {
    account: account.handle,
    ...record,
    releasedAt: releasedAt === null ? null : new Date(releasedAt).toISOString(),
    form: form && { name: form.form.name, publishedAt: new Date(form.publishedAt).toISOString(), definition },
    pageKept,
  }
}
