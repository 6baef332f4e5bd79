import type { Submitted } from '../happening.ts'
import { hour, minute, type Plan, second } from '../plan.ts'
import { formIds, trackingKey } from '../true-site.ts'
import { aPerson, aProgram } from '../visitor-traits.ts'
import { looksAround } from './ordinary.ts'

/** Refused submissions are kept for 30 days: an earlier one might be gone by the time it is counted. */
const keptFor = (plan: Plan) => ({ ...plan.time, from: plan.time.from + 3 * 24 * hour })

/** Fills what nobody sees. */
export function spammer(plan: Plan): void {
  const visitor = plan.newcomer((number) => aProgram(number, 'Mozilla/5.0 (compatible; form-filler)'))
  const fields = { email: plan.newAddress(), message: 'cheap', _hp: 'https://spam.example' }
  plan.at(plan.moment(keptFor(plan)), () =>
    visitor.submit({ form: formIds.contact, fields, isRefused: true }, 'server'),
  )
}

/** A person whose browser fills everything; most try again by hand. They are released later, some of them. */
export function mistakenForSpam(plan: Plan): void {
  const { random } = plan
  const visitor = plan.newcomer(aPerson)
  const at = looksAround(plan, visitor, plan.moment(keptFor(plan), 8 * hour)) + minute
  const fields = { email: plan.newAddress(), message: 'I am here' }
  const filled = { ...fields, website_url: 'https://autofill.example' }
  let refused: Submitted | undefined
  plan.at(at, async () => {
    refused = await visitor.submit({ form: formIds.signup, fields: filled, isRefused: true })
  })
  if (!random.chance(0.4)) return
  plan.at(at + 30 * second, async () => {
    const accepted = await visitor.submit({ form: formIds.signup, fields })
    if (refused !== undefined) refused.repeats = accepted.at
  })
}

/** Requests of those who have not set up everything yet. */
export function mistakes(plan: Plan): void {
  const { site, random } = plan
  const visitor = plan.newcomer(aPerson)
  const { caller } = visitor
  const own = { origin: site.origin, sendsCookie: false }
  const foreign = { ...own, origin: 'https://www.not-listed.example' }
  const contact = `/_svc/f/${formIds.contact}`
  const event = { events: [{ event: 'tried' }] }
  const many = { events: Array.from({ length: 21 }, () => ({ event: 'tried' })) }
  const tries = [
    () => visitor.fail({ endpoint: 'form', check: 'origin' }, caller.post(contact, {}, foreign)),
    () => visitor.fail({ endpoint: 'form', check: 'form' }, caller.post('/_svc/f/nosuch00', {}, own)),
    () => visitor.fail({ endpoint: 'form', check: 'body' }, caller.post(contact, [], own)),
    () =>
      visitor.fail(
        { endpoint: 'form', check: 'content_type' },
        caller.post(contact, {}, own, { 'content-type': 'text/plain' }),
      ),
    () => visitor.fail({ endpoint: 'event', check: 'origin' }, caller.post('/_svc/e', event, foreign)),
    () => visitor.fail({ endpoint: 'event', check: 'events' }, caller.post('/_svc/e', many, own)),
    () =>
      visitor.fail(
        { endpoint: 'event', check: 'tracking_key' },
        caller.post('/_svc/e', event, own, { 'x-svc-site-key': trackingKey('dune') }),
      ),
  ]
  if (site.requiresOptIn) {
    tries.push(() =>
      visitor.fail(
        { endpoint: 'event', check: 'consent' },
        caller.post('/_svc/e', event, own, { 'x-svc-consent': 'no' }),
      ),
    )
  }
  for (const attempt of tries) {
    for (let times = random.between(1, 3); times > 0; times--) plan.at(plan.moment(), attempt)
  }
}

/** A link that was signed for a domain from which its page has moved: it leads nowhere. */
export function movedLink(plan: Plan): void {
  const { site, world } = plan
  const visitor = plan.newcomer(aPerson)
  const sentAt = plan.moment(plan.time, hour)
  plan.at(sentAt + minute, async () => {
    const link = { account: site.account, host: site.host, to: `https://${site.host}/launch` }
    const path = await world.sign({ ...link, message: 'moved', email: undefined, sentAt })
    const elsewhere = { method: 'GET', host: `second-${site.host}`, path, headers: {}, body: null }
    await visitor.fail({ endpoint: 'click', check: 'destination' }, caller(elsewhere))
  })
  const caller = (sent: Parameters<typeof visitor.caller.send>[0]) => visitor.caller.send(sent)
}
