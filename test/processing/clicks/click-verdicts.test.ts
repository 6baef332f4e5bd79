// Who was it that clicked: a person, or what reads a person's mail before them (docs/links-in-email.md, "Who clicked")?
import { describe, expect, test } from 'bun:test'
import { browser, ClickWorld, click, event, otherBrowser, view } from './click-world.ts'

const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
/** What a scanner that passes for a browser follows within seconds: each link as another device, since it keeps no cookie. */
const scan = (of: Parameters<typeof click>[0] = {}) =>
  ['launch', 'pricing', 'about', '_svc/file/brochure.pdf'].map((to, index) =>
    click({ to, seconds: index, device: `scanner-${index}`, ...of }),
  )

describe('a click on a landing page', () => {
  test('is suspected until its device loads the page, then human', async () => {
    await using world = new ClickWorld()
    const clicked = click()
    world.happen(clicked)
    expect(world.judgement(clicked)).toEqual({ verdict: 'suspected', reasons: ['no_sign_of_life'] })
    world.happen(view({ seconds: 1 }))
    expect(world.judgement(clicked)).toEqual({ verdict: 'human', reasons: [] })
  })

  test('is human once its device sends an event', async () => {
    await using world = new ClickWorld()
    const clicked = click()
    world.happen(clicked, event({ seconds: 60 }))
    expect(world.verdicts(clicked)).toEqual(['human'])
  })

  test('is human although the clock was set back before the page was loaded', async () => {
    await using world = new ClickWorld()
    const clicked = click({ seconds: 100 })
    world.happen(clicked, view({ seconds: 40 }))
    expect(world.verdicts(clicked)).toEqual(['human'])
  })

  test.each([
    ['another device', view({ seconds: 1, device: 'bob' })],
    ['another account', view({ seconds: 1, accountId: 'account-b' })],
    ['a bot', view({ seconds: 1, agent: crawler })],
  ])('is not made human by a page view of %s', async (_whose, viewed) => {
    await using world = new ClickWorld()
    const clicked = click()
    world.happen(clicked, viewed)
    expect(world.verdicts(clicked)).toEqual(['suspected'])
  })

  test('is not made human by what its device did before', async () => {
    await using world = new ClickWorld()
    const clicked = click({ seconds: 60 })
    world.happen(view(), event(), clicked)
    expect(world.verdicts(clicked)).toEqual(['suspected'])
  })

  test('is judged by itself, however often the device was alive before', async () => {
    await using world = new ClickWorld()
    const [first, second, third] = [click(), click({ seconds: 60 }), click({ seconds: 120 })]
    world.happen(first, view({ seconds: 1 }), second, third)
    expect(world.verdicts(first, second, third)).toEqual(['human', 'suspected', 'suspected'])
    world.happen(view({ seconds: 121 }))
    expect(world.verdicts(first, second, third)).toEqual(['human', 'human', 'human'])
  })

  test('soon after sending or without a language is human too when life follows', async () => {
    await using world = new ClickWorld()
    const clicked = { ...click(), evidence: { method: 'GET', headers: { 'user-agent': browser } } }
    const soon = { ...clicked, sentAt: clicked.receivedAt - 2000 }
    world.happen(soon)
    expect(world.judgement(soon).reasons).toEqual(['no_language', 'soon_after_sending', 'no_sign_of_life'])
    world.happen(view({ seconds: 1 }))
    expect(world.judgement(soon)).toEqual({ verdict: 'human', reasons: [] })
  })
})

describe('a click that no page view can follow', () => {
  test.each(['_svc/file/brochure.pdf', '_svc/img/hero.png', 'https://preview.localhost/_preview/abcd1234'])(
    'is human without one: %s',
    async (to) => {
      await using world = new ClickWorld()
      const clicked = click({ to })
      world.happen(clicked)
      expect(world.judgement(clicked)).toEqual({ verdict: 'human', reasons: [] })
    },
  )
})

describe('a prefetched link', () => {
  test('is a machine’s until the page is opened after all', async () => {
    await using world = new ClickWorld()
    const prefetched = click({ headers: { 'sec-purpose': 'prefetch' } })
    world.happen(prefetched)
    expect(world.judgement(prefetched)).toEqual({ verdict: 'machine', reasons: ['prefetch'] })
    world.happen(event({ seconds: 3 }))
    expect(world.judgement(prefetched)).toEqual({ verdict: 'human', reasons: [] })
  })
})

describe('what says of itself that it is a machine', () => {
  test.each([
    ['head', click({ method: 'HEAD' })],
    ['scanner', click({ agent: 'Mimecast' })],
    ['bot_agent', click({ agent: 'Mozilla/5.0 (compatible; Newbot 1.0)' })],
  ])('stays one, whatever follows: %s', async (reason, clicked) => {
    await using world = new ClickWorld()
    world.happen(clicked, view({ seconds: 1 }), event({ seconds: 2 }))
    expect(world.judgement(clicked)).toEqual({ verdict: 'machine', reasons: [reason] })
  })
})

describe('a scanner that follows every link', () => {
  test('is a machine with all its clicks, and the recipient who clicks later a person', async () => {
    await using world = new ClickWorld()
    const scanned = scan()
    const clicked = click({ seconds: 3600 })
    world.happen(...scanned, clicked, view({ seconds: 3601 }))
    for (const one of scanned) expect(world.judgement(one)).toEqual({ verdict: 'machine', reasons: ['burst'] })
    expect(world.verdicts(clicked)).toEqual(['human'])
  })

  test('is found out by its third destination, for the earlier ones too', async () => {
    await using world = new ClickWorld()
    const [first = click(), second = click(), third = click()] = scan()
    world.happen(first, second)
    expect(world.verdicts(first, second)).toEqual(['suspected', 'suspected'])
    world.happen(third)
    expect(world.verdicts(first, second, third)).toEqual(['machine', 'machine', 'machine'])
  })

  test('stays a machine where it loads the pages as well', async () => {
    await using world = new ClickWorld()
    const scanned = scan({ device: 'sandbox' })
    world.happen(...scanned.flatMap((one) => [one, view({ device: 'sandbox', seconds: 5 })]))
    expect(new Set(world.verdicts(...scanned))).toEqual(new Set(['machine']))
  })

  test('is found out in links that were signed for nobody, by its device or by address and user agent', async () => {
    await using world = new ClickWorld()
    const byDevice = scan({ recipient: null, device: 'sandbox', ip: '203.0.113.8' })
    const byAddress = scan({ recipient: null, ip: '203.0.113.9' })
    const withoutAddress = scan({ recipient: null, device: 'other-sandbox', ip: null })
    world.happen(...byDevice, ...byAddress, ...withoutAddress)
    for (const one of [...byDevice, ...withoutAddress]) expect(world.judgement(one).reasons).toEqual(['burst'])
    for (const one of byAddress) expect(world.judgement(one).reasons).toEqual(['shared_burst'])
  })
})

describe('clicks of several people', () => {
  test('from one office on different links of one mailing are human, as soon as their pages are loaded', async () => {
    await using world = new ClickWorld()
    const colleagues = scan({ recipient: null })
    world.happen(...colleagues)
    expect(new Set(world.verdicts(...colleagues))).toEqual(new Set(['machine']))
    world.happen(...colleagues.map(({ deviceId }) => view({ device: deviceId, seconds: 5 })))
    expect(new Set(world.verdicts(...colleagues))).toEqual(new Set(['human']))
  })

  test('with one recipient’s forwarded link are judged by each one’s own device', async () => {
    await using world = new ClickWorld()
    const [ada, bob] = [click(), click({ device: 'bob', seconds: 2, agent: otherBrowser })]
    world.happen(ada, bob, view({ device: 'bob', seconds: 3 }))
    expect(world.verdicts(ada, bob)).toEqual(['suspected', 'human'])
  })

  test('who click beside a scanner of the same mail are human when life follows, the scanner is not', async () => {
    await using world = new ClickWorld()
    const scanned = scan({ agent: otherBrowser })
    const clicked = click({ seconds: 5 })
    world.happen(...scanned, clicked, view({ seconds: 6 }))
    expect(world.verdicts(clicked, ...scanned)).toEqual(['human', 'machine', 'machine', 'machine', 'machine'])
  })

  test.each([
    ['recipient', (index: number) => ({ recipient: `to-${index}` })],
    ['message', (index: number) => ({ message: `message-${index}` })],
    ['address', (index: number) => ({ recipient: null, ip: `203.0.113.${index}` })],
    [
      'account',
      (index: number) => ({ accountId: index === 0 ? 'account-b' : 'account-a', device: `scanner-${index}` }),
    ],
  ])('are no burst when each has another %s', async (_what, of) => {
    await using world = new ClickWorld()
    const clicks = ['launch', 'pricing', 'about'].map((to, index) =>
      click({ to, device: `device-${index}`, ...of(index) }),
    )
    world.happen(...clicks)
    expect(new Set(world.verdicts(...clicks))).toEqual(new Set(['suspected']))
  })

  test('are no burst on three destinations in more than ten seconds', async () => {
    await using world = new ClickWorld()
    const clicks = ['launch', 'pricing', 'about'].map((to, index) => click({ to, seconds: index * 6 }))
    world.happen(...clicks)
    expect(new Set(world.verdicts(...clicks))).toEqual(new Set(['suspected']))
  })
})

test('the verdict at capture stays in the ledger', async () => {
  await using world = new ClickWorld()
  world.happen(...scan())
  expect(new Set(world.captured())).toEqual(new Set(['human']))
})

test('what the test page sends is judged by nobody', async () => {
  await using world = new ClickWorld()
  world.happen({ ...click(), test: true })
  expect(world.figures()).toEqual({ kept: {}, counted: {} })
})
