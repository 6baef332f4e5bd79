// What an entry had added to the figures, so that its erasure takes exactly that back.
import { expect, test } from 'bun:test'
import { hitBits, wentOnBit } from '../../../src/processing/figures/hit-bits.ts'
import { type CountedEntry, figuresOfEntry } from '../../../src/processing/forgetting/entry-figures.ts'

const nothing: CountedEntry = { hit: null, click: null, goals: null, submission: null }
const figures = (counted: Partial<CountedEntry>) =>
  figuresOfEntry({ ...nothing, ...counted }).map(({ day, measure, name }) => `${day} ${measure} ${name}`.trim())

test('an entry that counted nowhere added nothing', () => {
  expect(figures({})).toEqual([])
})

test('a view added what its bits say, and its landing page by name', () => {
  const counted = hitBits.view | hitBits.visit | hitBits.visitor | hitBits.page
  expect(figures({ hit: { day: 3, counted, slug: 'spring' } }).sort()).toEqual([
    '3 page spring',
    '3 view',
    '3 visit',
    '3 visitor',
  ])
})

test('an unreadable view’s page is not known, and what continued a visit is in no figure', () => {
  expect(figures({ hit: { day: 3, counted: hitBits.page | wentOnBit, slug: null } })).toEqual([])
})

test('a click counts by its message and present verdict', () => {
  expect(figures({ click: { day: 4, message: 'spring-mail', verdict: 'machine' } })).toEqual([
    '4 click_machine spring-mail',
  ])
})

test('goals count on the day of the goal, each time and once a visit', () => {
  const goals = { day: 9, targets: ['form:a', '#buy:1'], counted: ['form:a', '#buy:1'] }
  expect(figures({ goals }).sort()).toEqual(['9 funnel #buy:1', '9 goal form:a', '9 goal_time form:a'])
})

test.each([
  [
    'a lead counts by form, source and campaign',
    { day: 5, lead: { source: 'paper', campaign: 'spring' } },
    ['5 lead form1', '5 lead_source paper', '5 lead_campaign spring'],
  ],
  ['a likely duplicate by form alone', { day: 5, lead: null }, ['5 duplicate form1']],
  ['a quarantined submission nowhere', null, []],
])('%s', (_, counted, added) => {
  expect(figures({ submission: { formId: 'form1', counted } })).toEqual(added)
})
