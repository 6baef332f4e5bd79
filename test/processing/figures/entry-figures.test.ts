// What an entry had added to the figures, so that its erasure takes exactly that back.
import { expect, test } from 'bun:test'
import { bitsOf, type CountedEntry, figuresOfEntry, wentOnBit } from '../../../src/processing/figures/measures.ts'
import { pageView } from '../../report/sample-entries.ts'

/** Its own address may have a port; its domain has none. */
const sent = pageView({ slug: 'spring' })
const view = { ...sent, host: `${sent.host}:8443` }
const counted = bitsOf({
  entry: view,
  isView: true,
  isEvent: false,
  isBot: false,
  beginsVisit: true,
  isNewVisitor: true,
})
const nothing: CountedEntry = { hit: null, click: null, goals: null, submission: null }
const figures = (counted: Partial<CountedEntry>) =>
  figuresOfEntry({ ...nothing, ...counted }).map(({ day, measure, name }) => `${day} ${measure} ${name}`.trim())

test('an entry that counted nowhere added nothing', () => {
  expect(figures({})).toEqual([])
})

test('a view added what its bits say, and its host and landing page by name', () => {
  expect(figures({ hit: { day: 3, counted, read: () => view } }).sort()).toEqual([
    '3 host go.acme.example',
    '3 page spring',
    '3 view',
    '3 visit',
    '3 visitor',
  ])
})

test('an unreadable view’s page is not known, and what continued a visit is in no figure', () => {
  const hit = { day: 3, counted: counted | wentOnBit, read: () => null }
  expect(figures({ hit }).sort()).toEqual(['3 view', '3 visit', '3 visitor'])
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

test('a version of a page counts once a visit', () => {
  const goals = { day: 9, targets: ['page:/launch', '@b:launch'], counted: ['@b:launch'] }
  expect(figures({ goals }).sort()).toEqual(['9 goal_time page:/launch', '9 split_visit b:launch'])
})

test.each([
  [
    'a lead counts by form, version of the page, source and campaign',
    { day: 5, lead: { lead_source: 'paper', lead_campaign: 'spring' } },
    ['5 lead form1', '5 split_lead b:launch', '5 lead_source paper', '5 lead_campaign spring'],
  ],
  ['a likely duplicate by form alone', { day: 5, lead: null }, ['5 duplicate form1']],
  ['a quarantined submission nowhere', null, []],
])('%s', (_, counted, added) => {
  expect(figures({ submission: { formId: 'form1', versions: [{ split: 'launch', variant: 'b' }], counted } })).toEqual(
    added,
  )
})
