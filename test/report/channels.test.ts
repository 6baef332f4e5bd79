// docs/reports.md: over a table, visits and leads add up to the totals.
import { expect, test } from 'bun:test'
import { channelsReport } from '../../src/report/channels.ts'

test('a campaign called as the rest is keeps its visits and leads, beside those without a campaign', () => {
  const byName = [
    { measure: 'visit_campaign', name: '(none)', count: 3 },
    { measure: 'visit_campaign', name: 'spring', count: 2 },
    { measure: 'lead_campaign', name: '(none)', count: 1 },
  ] as const
  const { campaigns } = channelsReport(byName, { visits: 10, leads: 2, visitors: 0 })
  expect(campaigns.map(({ name, visits, leads }) => [name, visits, leads])).toEqual([
    ['(none)', 8, 2],
    ['spring', 2, 0],
  ])
})
