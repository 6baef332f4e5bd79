import { html, type Markup } from '../../../lib/html.ts'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import { type SubmissionReceipt, showSubmission } from '../../../operations/submission/show-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import { permissionOn } from '../../access/permission.ts'
import { captured } from '../captured.ts'
import { localTime } from '../local-time.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { seeOther } from '../page-answer.ts'
import { notePageAct } from '../page-audit.ts'
import { summaryOf } from './summary.ts'

/** `/a/ACCOUNT/s/SUBMISSION`: one submission with its receipt; a form on it releases it from quarantine. */
export const submissionPage: AccountPage = {
  of: 'account',
  path: '/a/:account/s/:submission',
  scope: 'read',
  clients: 'masked',
  async show(call, box) {
    const receipt = await showSubmission(box, asked(call), () => {})
    const record = call.view === 'masked' ? maskedSubmission(receipt.record) : receipt.record
    return {
      title: `From ${summaryOf(record).who}`,
      body: html`${quarantineNote(call, record)}${fieldsTable(call, record)}<h2>Receipt</h2>${receiptTable(receipt, record)}`,
    }
  },
  async act(call, box) {
    if (!mayRelease(call)) return messagePage('notAllowed')
    await releaseSubmission(box, asked(call), () => {})
    await notePageAct(call, { action: 'submission.release', subject: call.params.submission ?? '', box })
    return seeOther(call.url.pathname)
  },
}

const asked = ({ account, params }: AccountPageCall) => ({ account: account.handle, id: params.submission ?? '' })

const mayRelease = ({ account, caller }: AccountPageCall): boolean =>
  permissionOn(account.id, caller, { scope: 'release', clients: 'nothing' }) === 'whole'

const reasons = { honeypot: 'A hidden field was filled in, as robots do.', bot_check: 'The bot check was not passed.' }

function quarantineNote(call: AccountPageCall, { status, refusedFor }: SubmissionRecord): Markup | null {
  if (status !== 'refused' || refusedFor === null) return null
  const release = mayRelease(call)
    ? html`<form method="post"><p class="do"><button>Release: a person sent this</button></p></form>`
    : null
  return html`<div class="note"><p><strong>In quarantine.</strong> ${reasons[refusedFor]} It counts nowhere.</p>${release}</div>`
}

/** In the order of the form's own schema, then what it does not declare. */
function fieldsTable({ account }: AccountPageCall, { fields, formId }: SubmissionRecord): Markup {
  const { properties } = account.forms.find(({ id }) => id === formId)?.schema ?? {}
  const declared = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const names = [...new Set([...declared.filter((name) => Object.hasOwn(fields, name)), ...Object.keys(fields)])]
  const rows = names.map(
    (name) => html`<tr><th scope="row">${captured(name)}</th><td class="value">${captured(fields[name])}</td></tr>`,
  )
  return html`<table class="facts">${rows}</table>`
}

function receiptTable({ account, form, releasedAt, isProcessed }: SubmissionReceipt, record: SubmissionRecord): Markup {
  const { botCheck, attribution, page, source } = record
  const time = (iso: string) => localTime(iso, account.timezone)
  const rows: [string, Markup | string][] = [
    ['Received', time(record.receivedAt)],
    ...(releasedAt === null ? [] : [['Released', time(new Date(releasedAt).toISOString())] as [string, Markup]]),
    ['Form', `${form?.form.name ?? record.formId} (version ${record.formVersion})`],
    ['Consent text', record.consentTextId ?? 'none'],
    ['Bot check', botCheckText(botCheck)],
    ['First came from', isProcessed ? touchText(attribution.first) : 'not processed yet'],
    ['Came from', isProcessed ? touchText(attribution.last) : 'not processed yet'],
    ['Landing page', page === null ? 'none of ours' : `/${page.slug}`],
    ['Sent from', captured(source.origin ?? source.host)],
    [
      'Likely duplicate of',
      record.duplicateOf === null
        ? 'none'
        : html`<a href="/a/${account.handle}/s/${record.duplicateOf}">${record.duplicateOf}</a>`,
    ],
    ['Id', html`<code>${record.submissionId}</code>`],
  ]
  return html`<table class="facts">${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</table>`
}

function botCheckText({ required, provider, verified }: SubmissionRecord['botCheck']): string {
  if (!required) return 'not asked for'
  return verified ? `passed (${provider ?? 'unknown'})` : 'not passed'
}

const touchText = (touch: SubmissionRecord['attribution']['last']): Markup | string =>
  touch === null
    ? 'nothing known'
    : captured([`${touch.source} / ${touch.medium}`, touch.campaign].filter(Boolean).join(', campaign '))
