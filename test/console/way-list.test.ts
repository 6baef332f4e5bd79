import { expect, test } from 'bun:test'
import { wayList } from '../../src/console/page/person/person-page.ts'

const at = (day: number, hour: number) => ({
  entry: { kind: 'page_view', slug: 'start', attribution: {}, receivedAt: Date.UTC(2026, 10, day, hour) },
  facts: {},
})

test('of the steps of one day in the time zone of the account, only the first has the day', () => {
  const account = { handle: 'acme', forms: [], settings: { timezone: 'Europe/Berlin', goals: [], domains: [] } }
  const { text } = wayList({ account } as never, [at(20, 8), at(20, 22), at(20, 23), at(21, 9)] as never)
  expect([...text.matchAll(/<time[^>]*>([^<]+)</g)].map(([, shown]) => shown)).toEqual([
    '20 Nov 2026, 09:00',
    '23:00',
    '21 Nov 2026, 00:00',
    '10:00',
  ])
})
