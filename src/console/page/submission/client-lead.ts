import { fieldLabel } from '../../../account/field-label.ts'
import { html } from '../../../lib/html.ts'
import { NotThere } from '../../../lib/operator-error.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { maskedSubmission } from '../../access/masked.ts'
import type { PageContent } from '../../page-content.ts'
import type { AccountPageCall } from '../page.ts'
import { captured, type Fact, factsTable } from '../values.ts'
import { cameFrom } from './client-leads.ts'

/** What the account's customer may see. @throws NotThere for what is in quarantine */
export function ofLead({ status }: SubmissionRecord): void {
  if (status !== 'accepted') throw new NotThere('There is no such lead.')
}

/** One lead as the account's customer sees it. */
export function leadContent({ account, locale, view }: AccountPageCall, whole: SubmissionRecord): PageContent {
  ofLead(whole)
  const record = view === 'masked' ? maskedSubmission(whole, account.forms) : whole
  const { console: texts } = locale.texts
  const form = account.forms.find(({ id }) => id === record.formId) ?? null
  const answers = Object.keys(record.fields).map(
    (name): Fact => [captured(fieldLabel(form, name)), captured(record.fields[name])],
  )
  const time = html`<time datetime="${record.receivedAt}">${locale.instant(Date.parse(record.receivedAt), account.settings.timezone)}</time>`
  const page = record.page === null ? null : captured(`/${record.page.slug}`)
  const facts: Fact[] = [
    [texts.lead.received, time],
    [texts.lead.cameFrom, captured(cameFrom(record) || texts.lead.unknown)],
    ...(page === null
      ? []
      : ([
          [
            texts.lead.page,
            html`${page} · <a href="/a/${account.handle}/s/${record.submissionId}/page" download>${texts.lead.download}</a>`,
          ],
        ] satisfies Fact[])),
  ]
  return {
    title: form?.name ?? record.formId,
    body: html`${answers.length === 0 ? html`<p>${texts.lead.nothing}</p>` : factsTable(answers)}${view === 'masked' ? html`<p class="hint">${texts.masked}</p>` : null}
<h2>${texts.lead.about}</h2>${factsTable(facts)}<p class="more"><a href="/a/${account.handle}">${texts.lead.all}</a></p>`,
  }
}
