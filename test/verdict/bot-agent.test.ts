import { describe, expect, test } from 'bun:test'
import { BotAgents } from '../../src/verdict/bot-agent.ts'
import programs from '../../src/verdict/program-agents.json' with { type: 'json' }

const bots = new BotAgents()

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
]
const crawlers = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'facebookexternalhit/1.1',
  'Barracuda Sentinel (EE)',
]

describe('a user agent', () => {
  test.each(browsers)('of a browser is no bot: %s', (userAgent) => {
    expect(bots.isBot('page_view', userAgent)).toBe(false)
    expect(bots.isBot('event', userAgent)).toBe(false)
  })

  test.each(crawlers)('of a crawler or scanner is a bot, whatever it does: %s', (userAgent) => {
    expect(bots.isBot('page_view', userAgent)).toBe(true)
    expect(bots.isBot('click', userAgent)).toBe(true)
    expect(bots.isBot('event', userAgent)).toBe(true)
  })

  test.each([...programs.agents, 'acme-crm/2.1', 'AcmeApp/7 (iPhone; iOS 18.1; Scale/3.00)'])(
    'of an app or server may send events: %s',
    (userAgent) => {
      expect(bots.isBot('event', userAgent)).toBe(false)
    },
  )

  test.each(['curl/8.5.0', 'python-requests/2.31.0', 'Go-http-client/1.1', 'okhttp/4.12.0', 'node', 'acme-crm/2.1'])(
    'of a mere program is a bot where it loads a page: %s',
    (userAgent) => {
      expect(bots.isBot('page_view', userAgent)).toBe(true)
    },
  )

  test.each([null, ''])(
    'that is missing (%p) is no browser’s, and may be a server’s that sends events',
    (userAgent) => {
      expect(bots.isBot('page_view', userAgent)).toBe(true)
      expect(bots.isBot('event', userAgent)).toBe(false)
    },
  )

  test('gets the same answer however often and beside however many others it is asked for', () => {
    const asked = new BotAgents()
    for (let number = 0; number < 25_000; number++) asked.isBot('page_view', `${browsers[0]} ${number}`)
    expect(asked.isBot('page_view', browsers[0] ?? '')).toBe(false)
    expect(asked.isBot('page_view', crawlers[0] ?? '')).toBe(true)
    expect(asked.isBot('event', 'curl/8.5.0')).toBe(false)
    expect(asked.isBot('page_view', 'curl/8.5.0')).toBe(true)
  })
})
