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
const channel = { source: 'ads', medium: 'cpc', campaign: null, page: '/launch', device: 'phone' } as const
const hour = String(Math.floor(sent.receivedAt / 3_600_000))
const nothing: CountedEntry = { hit: null, click: null, goals: null, submission: null }
const figures = (counted: Partial<CountedEntry>) =>
  figuresOfEntry({ ...nothing, ...counted }).map(({ day, measure, name }) => `${day} ${measure} ${name}`.trim())

test('an entry that counted nowhere added nothing', () => {
  expect(figures({})).toEqual([])
})

test('a view added what its bits say, its host, landing page and hour by name, and the channel of its visit', () => {
  expect(figures({ hit: { day: 3, counted, receivedAt: sent.receivedAt, channel, read: () => view } }).sort()).toEqual([
    '3 host go.acme.example',
    `3 hour_view ${hour}`,
    `3 hour_visit ${hour}`,
    `3 hour_visitor ${hour}`,
    '3 page spring',
    '3 view',
    '3 visit',
    '3 visit_device phone',
    '3 visit_medium cpc',
    '3 visit_page /launch',
    '3 visit_source ads',
    '3 visitor',
  ])
})

test('an unreadable view’s page is not known but its hour is, and what continued a visit is in no figure', () => {
  const hit = { day: 3, counted: counted | wentOnBit, receivedAt: sent.receivedAt, channel: null, read: () => null }
  expect(figures({ hit }).sort()).toEqual([
    `3 hour_view ${hour}`,
    `3 hour_visit ${hour}`,
    `3 hour_visitor ${hour}`,
    '3 view',
    '3 visit',
    '3 visitor',
  ])
})

test('a click counts by its message and present verdict, a human one by its hour', () => {
  const click = { day: 4, receivedAt: 7_200_000, message: 'spring-mail' }
  expect(figures({ click: { ...click, verdict: 'machine' } })).toEqual(['4 click_machine spring-mail'])
  expect(figures({ click: { ...click, verdict: 'human' } })).toEqual(['4 click_human spring-mail', '4 hour_click 2'])
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
    'a lead counts by form, version of the page, device, hour and channel',
    { day: 5, lead: { lead_source: 'paper', lead_medium: 'print', lead_campaign: 'spring', lead_page: '/launch' } },
    [
      '5 lead form1',
      '5 lead_device phone',
      '5 hour_lead 2',
      '5 split_lead b:launch',
      '5 lead_source paper',
      '5 lead_medium print',
      '5 lead_campaign spring',
      '5 lead_page /launch',
    ],
  ],
  ['a likely duplicate by form alone', { day: 5, lead: null }, ['5 duplicate form1']],
  ['a quarantined submission nowhere', null, []],
])('%s', (_, counted, added) => {
  const record = {
    formId: 'form1',
    versions: [{ split: 'launch', variant: 'b' }],
    device: 'phone',
    at: 7_200_000,
  } as const
  expect(figures({ submission: { ...record, counted } })).toEqual(added)
})
