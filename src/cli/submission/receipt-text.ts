import type { Form } from '../../account/form.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { SubmissionReceipt } from '../../operations/submission/show-submission.ts'
import { jsonText } from '../../report/json-text.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { type Labelled, labelledLines } from '../output/labelled.ts'
import { localTimestamp } from '../output/local-timestamp.ts'
import type { Layout } from '../output/style.ts'
import { touchWords } from '../record/touch-words.ts'
import { refusedForWords } from './refused-for-words.ts'

/** The receipt in words. Nothing is cut, and control characters are escaped. */
export function receiptText(receipt: SubmissionReceipt, { style, columns }: Layout): string {
  const { record } = receipt
  const title = style('heading', `Submission ${record.submissionId}`)
  const about = labelledLines([...what(receipt), ...who(receipt), ...whence(receipt)], columns)
  const sent = Object.entries(record.fields).map(([name, value]): Labelled => [name, jsonText(value)])
  const fields = sent.length === 0 ? '  nothing\n' : labelledLines(sent, columns)
  return `${title}\n${about}\n${style('heading', 'Sent')}\n${fields}`
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
    ['Received', receivedWords(record, account.timezone)],
    ['Form', formWords(record, form)],
    ['Declared fields', form === null ? 'unknown' : declaredWords(form.form)],
    ['Consent text', consentTextId ?? 'none: the form had none'],
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

function receivedWords({ receivedAt }: SubmissionRecord, timezone: string): string {
  const inUtc = `${receivedAt} (UTC)`
  return timezone === 'UTC' ? inUtc : `${inUtc}, ${localTimestamp(Date.parse(receivedAt), timezone)}`
}

function statusWords({ status, refusedFor }: SubmissionRecord, releasedAt: number | null): string {
  if (status === 'refused') return `refused as a bot: ${refusedForWords(refusedFor)}`
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
