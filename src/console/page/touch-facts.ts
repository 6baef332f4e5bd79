import { html, type Markup } from '../../lib/html.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { captured } from './captured.ts'
import type { Fact } from './facts-table.ts'
import { localTime } from './local-time.ts'

/** First and last touch, as far as they are known. */
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
