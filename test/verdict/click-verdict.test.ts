import { describe, expect, test } from 'bun:test'
import type { ClickVerdict } from '../../src/ledger/entry.ts'
import {
  type ClickCircumstances,
  type ClickEvidence,
  type ClickSign,
  clickEvidence,
  clickRules,
  clickSigns,
  judgeClick,
  signMeanings,
} from '../../src/verdict/click-verdict.ts'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A person's browser; `null` leaves a header out. */
function evidence(headers: Record<string, string | null> = {}, method = 'GET'): ClickEvidence {
  const all = Object.entries({ 'user-agent': browser, 'accept-language': 'en', ...headers })
  return { method, headers: Object.fromEntries(all.filter((header): header is [string, string] => header[1] !== null)) }
}

/** A day after the mailing, and the page that the link leads to was loaded. */
const circumstances = (overrides: Partial<ClickCircumstances> = {}): ClickCircumstances => ({
  secondsAfterSending: 86_400,
  burst: null,
  life: 'shown',
  ...overrides,
})

test('a click without any sign against it is human', () => {
  expect(judgeClick(evidence(), circumstances())).toEqual({ verdict: 'human', reasons: [] })
  expect(judgeClick(evidence(), circumstances({ life: 'not_expected' }))).toEqual({ verdict: 'human', reasons: [] })
})

test('at capture a click is judged by its own request', () => {
  expect(judgeClick(evidence(), { secondsAfterSending: 86_400 })).toEqual({ verdict: 'human', reasons: [] })
  expect(judgeClick(evidence({}, 'HEAD'), { secondsAfterSending: 86_400 }).verdict).toBe('machine')
})

const signs: [
  reason: ClickSign,
  before: ClickVerdict,
  after: ClickVerdict,
  evidence: ClickEvidence,
  at: Partial<ClickCircumstances>,
][] = [
  ['head', 'machine', 'machine', evidence({}, 'HEAD'), {}],
  ['scanner', 'machine', 'machine', evidence({ 'user-agent': 'Barracuda Sentinel (EE)' }), {}],
  ['scanner', 'machine', 'machine', evidence({ from: 'robot@gateway.example' }), {}],
  ['bot_agent', 'machine', 'machine', evidence({ 'user-agent': 'Mozilla/5.0 (compatible; Newbot 1.0)' }), {}],
  ['no_user_agent', 'machine', 'machine', evidence({ 'user-agent': null }), {}],
  ['no_user_agent', 'machine', 'machine', evidence({ 'user-agent': '' }), {}],
  ['burst', 'machine', 'machine', evidence(), { burst: 'own' }],
  ['shared_burst', 'machine', 'human', evidence(), { burst: 'shared' }],
  ['prefetch', 'machine', 'human', evidence({ 'sec-purpose': 'prefetch;prerender' }), {}],
  ['prefetch', 'machine', 'human', evidence({ purpose: 'prefetch' }), {}],
  ['prefetch', 'machine', 'human', evidence({ 'x-moz': 'prefetch' }), {}],
  ['prefetch', 'machine', 'human', evidence({ purpose: 'preview' }), {}],
  ['soon_after_sending', 'suspected', 'human', evidence(), { secondsAfterSending: 9.9 }],
  ['soon_after_sending', 'suspected', 'human', evidence(), { secondsAfterSending: -3 }],
  ['no_language', 'suspected', 'human', evidence({ 'accept-language': null }), {}],
  ['no_sign_of_life', 'suspected', 'human', evidence(), { life: 'missing' }],
]

describe('a sign', () => {
  test.each(signs)('%s makes a click %s until its device shows life, then %s', (reason, before, after, sent, at) => {
    expect(judgeClick(sent, circumstances({ life: 'not_expected', ...at }))).toEqual({
      verdict: before,
      reasons: [reason],
    })
    expect(judgeClick(sent, circumstances({ ...at, life: 'shown' }))).toEqual({
      verdict: after,
      reasons: after === 'human' ? [] : [reason],
    })
  })

  test('of each kind stands in this table', () => {
    expect([...new Set(signs.map(([reason]) => reason))].sort()).toEqual([...clickSigns].sort())
  })

  test('of a machine is named alone, however much else is suspicious', () => {
    const { verdict, reasons } = judgeClick(evidence({ 'accept-language': null }, 'HEAD'), {
      secondsAfterSending: 1,
      burst: 'own',
      life: 'missing',
    })
    expect({ verdict, reasons }).toEqual({ verdict: 'machine', reasons: ['head', 'burst'] })
  })

  test('all of them are named where they only make it suspected', () => {
    const { reasons } = judgeClick(evidence({ 'accept-language': null }), { secondsAfterSending: 1, life: 'missing' })
    expect(reasons).toEqual(['no_language', 'soon_after_sending', 'no_sign_of_life'])
  })

  test('ten seconds after sending is not soon', () => {
    expect(judgeClick(evidence(), circumstances({ secondsAfterSending: 10, life: 'not_expected' })).verdict).toBe(
      'human',
    )
  })
})

describe('the rules', () => {
  test('say of every sign what it means', () => {
    expect(Object.keys(clickRules.signs).sort()).toEqual([...clickSigns].sort())
    expect(Object.values(clickRules.signs).filter((meaning) => !signMeanings.includes(meaning))).toEqual([])
  })

  test('are data: a sign means what they say of it, and nothing where they leave it out', () => {
    const lenient = { ...clickRules, signs: { head: 'suspected' } as const }
    const sent = evidence({ 'accept-language': null }, 'HEAD')
    expect(judgeClick(sent, circumstances(), lenient)).toEqual({ verdict: 'suspected', reasons: ['head'] })
    expect(judgeClick(evidence(), circumstances({ burst: 'own' }), lenient).verdict).toBe('human')
  })
})

test('evidence holds what tells browsers from machines, each header cut short, and nothing that names a person', () => {
  const headers = {
    'user-agent': 'a'.repeat(1000),
    cookie: 'svc_id=1',
    'accept-language': 'en',
    referer: 'https://x.example',
  }
  const { method, headers: kept } = clickEvidence(new Request('https://go.acme.example/', { headers, method: 'HEAD' }))
  expect(method).toBe('HEAD')
  expect(Object.keys(kept).sort()).toEqual(['accept-language', 'user-agent'])
  expect(kept['user-agent']).toHaveLength(300)
})
