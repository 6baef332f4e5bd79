import { byItself } from '../arrival.ts'
import { hour, minute, type Plan } from '../plan.ts'
import { did, viewed } from '../told.ts'
import { previewHost, slugs } from '../true-site.ts'
import { aPerson, aProgram, aServer, crawlerAgents } from '../visitor-traits.ts'

/** Reads every page, some of them by their script too. */
export function crawler(plan: Plan): void {
  const agent = plan.random.oneOf(crawlerAgents)
  const visitor = plan.newcomer((number) => aProgram(number, agent))
  let at = plan.moment()
  for (const slug of slugs) {
    plan.at(at, () => visitor.view(slug, byItself))
    at += plan.random.between(1, 40) * minute
  }
}

/** Runs the script of the website's pages, and says that it is a crawler. */
export function rendering(plan: Plan): void {
  const visitor = plan.newcomer((number) => aProgram(number, crawlerAgents[0] ?? null))
  plan.at(plan.moment(), () => visitor.tellOnWebsite('/', byItself, [viewed, did('scrolled')]))
}

/** A server tells what happened in an app: events of somebody, and no visit. */
export function server(plan: Plan): void {
  const visitor = plan.newcomer(aServer)
  plan.at(plan.moment(), () => visitor.tellFromServer([did('invoice_paid'), did('invoice_sent')]))
}

/** A browser that asks for pages which nobody sees. */
export function prefetching(plan: Plan): void {
  const { random } = plan
  const visitor = plan.newcomer(aPerson)
  const at = plan.moment(plan.time, hour)
  const headers = { 'sec-purpose': random.oneOf(['prefetch', 'prefetch;anonymous-client-ip']) }
  plan.at(at, () => visitor.passBy('/launch', 200, { headers }))
  plan.at(at + minute, () => visitor.passBy('/offer', 200, { method: 'HEAD' }))
  plan.at(at + 2 * minute, () => visitor.passBy('/no-such-page', 404))
  if (random.chance(0.5)) plan.at(at + 3 * minute, () => visitor.view('terms', byItself))
}

/** The hosted test page sends a form and an event: they count nowhere. */
export function testPage(plan: Plan): void {
  const { caller } = plan.newcomer(aPerson)
  const posting = { origin: `https://${previewHost}`, sendsCookie: false }
  plan.at(plan.moment(), async () => {
    await caller.post('/_svc/f/contact1', { email: 'visitor-1@people.example' }, posting)
    await caller.post('/_svc/e', { events: [{ event: '$pageview' }, { event: 'tried' }] }, posting)
  })
}
