// docs/reports.md, "What works": a visit belongs to the touch that began it, which may be a click on a mailed link.
import { expect, test } from 'bun:test'
import { click, pageView, submission } from '../../report/sample-entries.ts'
import { AForgettingBox } from '../../storage/sqlite/a-forgetting-box.ts'
import { browser, erased, minute } from '../../storage/sqlite/shared-devices.ts'
import { noon } from '../submissions/processed-ledger.ts'

const of = (id: string, minutes: number) => ({ id, receivedAt: noon + minutes * minute, source: browser })
const mailed = (minutes: number, verdict: 'human' | 'machine' = 'human') =>
  click({
    ...of(`click-${minutes}`, minutes),
    message: 'news-1',
    recipient: null,
    verdict,
    reasons: [],
    attribution: {},
  })
const view = (minutes: number, attribution = {}) => pageView({ ...of(`view-${minutes}`, minutes), attribution })
const lead = (minutes: number, email: string) =>
  submission({ ...of(`lead-${minutes}`, minutes), email, fields: { minutes } })

/** What visits and visitors count for: source, medium, campaign and entry page. */
const counted = (box: AForgettingBox, what: 'visit' | 'visitor') =>
  box
    .rows<{ name: string }>(
      `SELECT name FROM day_figure WHERE count <> 0
         AND measure IN ('${what}_source', '${what}_medium', '${what}_campaign', '${what}_page') ORDER BY measure, name`,
    )
    .map(({ name }) => name)

const byMail = ['news-1', 'email', '/launch', 'email']
const directly = ['none', '/launch', 'direct']

test.each([
  ['a mailed link that leads to a view at once', [mailed(0), view(0.01)], byMail],
  ['one of almost half an hour before', [mailed(0), view(29)], byMail],
  ['one of half an hour before leads to nothing', [mailed(0), view(30)], directly],
  ['what a machine followed leads to nothing', [mailed(0, 'machine'), view(1)], directly],
  [
    'a view that names its campaign came by that',
    [mailed(0), view(1, { utm_source: 'ads', utm_medium: 'cpc' })],
    ['cpc', '/launch', 'ads'],
  ],
])('%s', async (_, entries, expected) => {
  await using box = new AForgettingBox()
  box.capture(...entries)
  expect(counted(box, 'visit')).toEqual(expected)
  expect(counted(box, 'visitor')).toEqual(expected)
})

const ben = 'ben@customer.example'

test.each([
  ['was direct once the click that led to it is erased', [lead(0, erased), mailed(1), lead(2, ben), view(3)], directly],
  ['stays by mail where another’s click has expired', [lead(0, ben), mailed(1), view(3), lead(4, erased)], byMail],
])('a visit %s', async (_, entries, expected) => {
  await using box = new AForgettingBox()
  box.capture(...entries)
  expect(counted(box, 'visit')).toEqual(byMail)
  if (expected === byMail) box.expire(noon + 2 * minute)
  await box.erase(erased)
  expect(counted(box, 'visit')).toEqual(expected)
  expect(counted(box, 'visitor')).toEqual(expected)
})
