import { resolve } from 'node:path'
import type { Form } from '../../account/form.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { byteSize, timestamp } from '../../lib/quantities.ts'
import type { SubmissionReceipt } from '../../operations/submission/show-submission.ts'
import { jsonText } from '../../report/json-text.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { defineCommand, usageError } from '../command.ts'
import { standardOutputName } from '../output/streams.ts'
import type { Layout } from '../output/style.ts'
import { type Labelled, labelledLines, printable } from '../output/text.ts'
import { touchWords } from '../record/record-line.ts'
import type { Session } from '../session.ts'
import { refusedForWords } from './submission-commands.ts'

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
    const { servedPage, showSubmission } = await import('../../operations/submission/show-submission.ts')
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
    releasedAt: instantOrNull(releasedAt),
    form: form && { name: form.form.name, publishedAt: new Date(form.publishedAt).toISOString(), definition },
    pageKept,
  }
}

/** The receipt in words. Nothing is cut, and control characters are escaped. */
function receiptText(receipt: SubmissionReceipt, { style, columns }: Layout): string {
  const { record } = receipt
  const title = style('heading', `Submission ${record.submissionId}`)
  const about = labelledLines([...what(receipt), ...who(receipt), ...whence(receipt)], columns)
  const sent = Object.entries(record.fields).map(([name, value]): Labelled => [name, jsonText(value)])
  const fields = sent.length === 0 ? '  nothing\n' : labelledLines(sent, columns)
  const files = record.files.map(({ id, name, bytes }): Labelled => [name, `${byteSize(bytes)}, ${id}`])
  const sentFiles = files.length === 0 ? '' : `\n${style('heading', 'Files')}\n${labelledLines(files, columns)}`
  return `${title}\n${about}\n${style('heading', 'Sent')}\n${fields}${sentFiles}`
}

function what({ account, record, releasedAt, form, isProcessed }: SubmissionReceipt): Labelled[] {
  const { consentTextId, duplicateOf, test } = record
  return [
    ['Account', `${account.handle} (${account.name})`],
    ['Status', statusWords(record, releasedAt)],
    ...(test ? ([['Test', 'sent by the hosted test page: not counted, not delivered']] satisfies Labelled[]) : []),
    ...(test || isProcessed
      ? []
      : ([['Processing', 'not processed yet: person, touches, duplicates and page are unknown']] satisfies Labelled[])),
    ['Received', instantWords(record.receivedAt, account.timezone)],
    ['Form', formWords(record, form)],
    ['Declared fields', form === null ? 'unknown' : declaredWords(form.form)],
    ['Consent text', consentTextId ?? 'none: the form had none'],
    ['Confirmed by mail', confirmedWords(record, { account, form })],
    ['Hidden field', honeypotWords(record)],
    ['Bot check', botCheckWords(record)],
    ['Duplicate of', duplicateOf === null ? 'none' : `${duplicateOf} (likely: same form, sender and fields)`],
  ]
}

function who({ record }: SubmissionReceipt): Labelled[] {
  const { identity, personId, deviceId } = record
  return [
    ['Identity', identity.email ?? 'none: "email" is not an address'],
    ['Person', personId ?? 'none'],
    ['Device', deviceId ?? 'unknown: the request had no identity cookie'],
  ]
}

function whence({ record, pageKept }: SubmissionReceipt): Labelled[] {
  const { source, attribution, page } = record
  const kept = pageKept ? '--page-bytes FILE writes it as it was served' : 'its bytes are no longer kept'
  return [
    ['Origin', source.origin ?? 'none: sent by a server or an app'],
    ['Referring page', source.referer ?? 'none named'],
    ['Asked domain', source.host],
    ['Address', source.ip ?? 'not kept'],
    ['User agent', source.userAgent ?? 'none named'],
    ['First touch', touchWords(attribution.first)],
    ['Last touch', touchWords(attribution.last)],
    ['Landing page', page === null ? 'none known' : `/${page.slug}, SHA-256 ${page.sha256}; ${kept}`],
  ]
}

function instantWords(at: string, timezone: string): string {
  const inUtc = `${at} (UTC)`
  return timezone === 'UTC' ? inUtc : `${inUtc}, ${localTimestamp(Date.parse(at), timezone)}`
}

function confirmedWords(
  { confirmedAt }: SubmissionRecord,
  { account, form }: Pick<SubmissionReceipt, 'account' | 'form'>,
): string {
  if (confirmedAt !== null) return instantWords(confirmedAt, account.timezone)
  return form?.form.confirm ? 'no' : 'no: the form did not ask for it'
}

function statusWords({ status, refusedFor }: SubmissionRecord, releasedAt: number | null): string {
  if (status === 'refused')
    return refusedFor === 'operator' ? 'refused by an operator' : `refused as a bot: ${refusedForWords(refusedFor)}`
  if (releasedAt === null) return 'accepted'
  return `accepted: released at ${timestamp(releasedAt)}, after it had been refused as a bot (${refusedForWords(refusedFor)})`
}

function formWords({ formId, formVersion }: SubmissionRecord, form: SubmissionReceipt['form']): string {
  if (form === null) return `${formId}, version ${formVersion} of its definition, which is no longer stored`
  return `${formId} (${form.form.name}), version ${formVersion} of its definition, published ${timestamp(form.publishedAt)}`
}

function declaredWords({ schema }: Form): string {
  const { properties = {}, required = [] } = schema
  const needed = new Set(Array.isArray(required) ? required : [])
  const names = Object.keys(properties ?? {}).map((name) => (needed.has(name) ? `${name} (required)` : name))
  return names.join(', ') || 'none'
}

function honeypotWords({ honeypot: { field, value } }: SubmissionRecord): string {
  if (field === null) return 'off for this form'
  return value === null ? `${field}: absent` : `${field}: ${jsonText(value)}`
}

function botCheckWords({ botCheck: { required, provider, verified } }: SubmissionRecord): string {
  if (!required) return 'not required'
  return `${provider ?? 'required'}: ${verified ? 'verified' : 'not verified'}`
}

/** An instant in an IANA time zone, to the second and with its offset: `2026-11-20 15:03:22 UTC+01:00 (Europe/Vienna)`. */
function localTimestamp(epochMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  })
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  const offset = part('timeZoneName').replace('GMT', 'UTC')
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${offset} (${timeZone})`
}
