import { html, type Markup } from '../../lib/html.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import type { KnownEntry } from '../../report/export.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import type { AccountPageCall } from './page.ts'
import { captured, capturedValue, cut, type Fact, localTime } from './values.ts'

const detailCharactersMax = 120

export const wayList = (call: AccountPageCall, records: readonly KnownEntry[]): Markup =>
  html`<ol class="way">${records.map((record) => step(call, record))}</ol>`

function step({ account }: AccountPageCall, { entry, facts }: KnownEntry): Markup {
  const { kind, detail } = described({ entry, facts }, account)
  return html`<li><span class="when meta">${localTime(entry.receivedAt, account.settings.timezone)}</span> <strong>${kind}</strong> ${detail}</li>`
}

function described(
  { entry, facts }: KnownEntry,
  { handle, forms }: AccountPageCall['account'],
): { kind: string; detail: Markup | null } {
  switch (entry.kind) {
    case 'submission': {
      const name = forms.find(({ id }) => id === entry.formId)?.name ?? entry.formId
      const isRefused = entry.status === 'refused' && facts.submission?.isReleased !== true
      return {
        kind: isRefused ? 'Sent (refused)' : 'Sent',
        detail: html`<a href="/a/${handle}/s/${entry.id}">${name}</a>`,
      }
    }
    case 'page_view':
      return { kind: 'Opened', detail: html`${captured(`/${entry.slug}`)}${campaign(entry.attribution)}` }
    case 'click':
      return {
        kind: (facts.click?.verdict ?? entry.verdict) === 'machine' ? 'Clicked (machine)' : 'Clicked',
        detail: html`${entry.message === null ? null : html`in ${captured(entry.message)}, `}to ${captured(shortened(entry.url))}`,
      }
    case 'event':
      return entry.event === '$pageview'
        ? { kind: 'Viewed', detail: captured(shortened(capturedValue(entry.properties.path ?? entry.properties.url))) }
        : { kind: 'Event', detail: html`${captured(entry.event)}${values(entry.properties)}` }
  }
}

const campaign = (attribution: Record<string, string>): Markup | null => {
  const text = ['utm_source', 'utm_medium', 'utm_campaign'].flatMap((name) => attribution[name] ?? []).join(' / ')
  return text === '' ? null : html` <span class="soft">from ${captured(shortened(text))}</span>`
}

const values = (properties: JsonObject): Markup | null => {
  const text = Object.entries(properties)
    .map(([name, value]) => `${name}: ${capturedValue(value)}`)
    .join(', ')
  return text === '' ? null : html` <span class="soft">${captured(shortened(text))}</span>`
}

const shortened = (text: string): string => cut(text, detailCharactersMax)

export const touchFacts = ({ first, last }: SubmissionRecord['attribution'], timezone: string): Fact[] => [
  ['First came from', touchText(first, timezone)],
  ['Last came from', touchText(last, timezone)],
]

function touchText(touch: SubmissionRecord['attribution']['last'], timezone: string): Markup | string {
  if (touch === null) return 'unknown'
  const { source, medium, campaign, term, content, referrer, at } = touch
  const more: [string, string | null][] = [
    ['campaign', campaign],
    ['term', term],
    ['content', content],
    ['referred by', referrer],
  ]
  const parts = more.flatMap(([name, value]) => (value === null ? [] : [html`, ${name} ${captured(value)}`]))
  return html`${captured(`${source} / ${medium}`)}${parts} <span class="soft">${localTime(at, timezone)}</span>`
}
