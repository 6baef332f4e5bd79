import { eventRequest, formRequest } from '../../harness/capture-requests.ts'
import type { Sent } from '../../harness/http.ts'
import { cookieOf } from '../../harness/identity.ts'
import { visit } from '../../harness/visits.ts'
import type { BinaryBox } from './binary-box.ts'
import type { RunningServer } from './program.ts'

interface TrafficOptions {
  account: string
  box: BinaryBox
  server: RunningServer
  /** People who come. */
  visitors: number
}

/** A crawler's name, as `capture report` knows it. */
export const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/**
 * People, crawlers, a scanner and double clicks, as an agency's customer gets them: pages, events of the website, forms,
 * a mailing. The account has the pages `launch` and `spring`, and the forms `contact1` and `signup01`.
 */
export async function sendTraffic({ account, box, server, visitors }: TrafficOptions): Promise<void> {
  const send = (sent: Sent) => server.send(sent)
  const crawl = () => send(visit('/launch', { account, headers: { 'user-agent': crawler } }))
  for (let number = 0; number < visitors; number++) {
    const campaign = number % 3 === 0 ? '' : `?utm_source=Source-${number % 3}&utm_medium=email`
    const cookie = cookieOf(await send(visit(`/launch${campaign}`, { account })))
    await send(visit('/spring', { account, headers: { cookie } }))
    const events = [{ event: '$pageview' }, { event: 'plan_chosen' }, { event: '$identify', traits: { plan: 'pro' } }]
    await send(eventRequest({ account, events, headers: { cookie } }))
    if (number % 2 === 0) await submitTwice(send, { account, cookie, number })
    if (number % 3 === 0) await crawl()
    await openMail({ account, box, server, visitors: number })
  }
  await send(eventRequest({ account, events: [{ event: '$pageview' }], headers: { 'user-agent': crawler } }))
  await send(formRequest({ account, fields: { email: 'bot@bot.example', _hp: 'filled' } }))
  await send(formRequest({ account, headers: { origin: 'https://elsewhere.example' } }))
}

/** One form twice, as a double click sends it, and another once from a server that keeps no cookie. */
async function submitTwice(
  send: (sent: Sent) => Promise<unknown>,
  { account, cookie, number }: { account: string; cookie: string; number: number },
): Promise<void> {
  const fields = { email: `visitor-${number}@${account}.example`, message: 'Hello' }
  for (let time = 0; time < 2; time++) await send(formRequest({ account, fields, headers: { cookie } }))
  await send(formRequest({ account, form: 'signup01', fields: { number } }))
}

/** A link of a mailing, followed by the visitor and, with HEAD, by a machine. */
async function openMail({ account, box, server, visitors }: TrafficOptions): Promise<void> {
  const message = visitors % 2 === 0 ? ['--message', `news-${visitors % 4}`] : []
  const link = await box.done(['link', 'sign', account, '--to', `http://go.${account}.test/launch`, ...message])
  const { pathname } = new URL(link.trim())
  await server.send(visit(pathname, { account, method: 'HEAD' }))
  const cookie = cookieOf(await server.send(visit(pathname, { account })))
  if (visitors % 3 !== 1) await server.send(visit('/launch', { account, headers: { cookie } }))
}
