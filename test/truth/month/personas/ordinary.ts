import { type Arrival, arrivals, byItself, onSite } from '../arrival.ts'
import { hour, minute, type Plan, second } from '../plan.ts'
import { did, isCalled, type Told, viewed } from '../told.ts'
import { slugs } from '../true-site.ts'
import type { Visitor } from '../visitor.ts'
import { aForgetfulPerson, aPerson } from '../visitor-traits.ts'

/** Between two things that somebody does: within a visit, barely so, barely not, and not at all. */
function pause({ random }: Plan): number {
  const kind = random.fraction()
  if (kind < 0.5) return random.between(5 * second, 2 * minute)
  if (kind < 0.75) return random.between(2 * minute, 29 * minute)
  if (kind < 0.83) return 30 * minute - random.between(1, 10) * second
  if (kind < 0.91) return 30 * minute + random.between(1, 10) * second
  return random.between(31 * minute, 5 * hour)
}

/** Comes to a landing page, looks around for a while, and answers when they are done. */
export function looksAround(plan: Plan, visitor: Visitor, begin: number): number {
  const { random } = plan
  const arrival = random.oneOf(arrivals)
  const slug = random.oneOf(slugs)
  plan.at(begin, () => visitor.view(slug, arrival))
  let at = begin
  for (let more = random.between(0, 4); more > 0; more--) {
    at += pause(plan)
    goesOn(plan, visitor, { at, slug, arrival })
  }
  return at
}

function goesOn(
  plan: Plan,
  visitor: Visitor,
  { at, slug, arrival }: { at: number; slug: string; arrival: Arrival },
): void {
  const kind = plan.random.fraction()
  if (kind < 0.4) plan.at(at, () => visitor.view(plan.site.seed % 2 ? 'offer' : 'terms', onSite(plan.site.host)))
  else if (kind < 0.75) plan.at(at, () => visitor.tellOnPage(slug, arrival, [did('video_played')]))
  else if (kind < 0.9) plan.at(at, () => visitor.tellOnPage(slug, byItself, [viewed, did('plan_chosen')]))
  // As a browser asks that still has the page.
  else plan.at(at, () => visitor.view('launch', byItself, { 'if-none-match': '*' }))
}

/** A person who comes now and then. */
export function ordinaryVisitor(plan: Plan): void {
  const visitor = plan.newcomer(aPerson)
  for (let visits = plan.random.between(1, 3); visits > 0; visits--) looksAround(plan, visitor, plan.moment())
}

/** Everything they ask for comes from another device, as far as anybody can tell. */
export function forgetfulVisitor(plan: Plan): void {
  looksAround(plan, plan.newcomer(aForgetfulPerson), plan.moment())
}

/** A person on the account's own website, whose script tells of them; some say who they are. */
export function websiteVisitor(plan: Plan): void {
  const { random } = plan
  const visitor = plan.newcomer(aPerson)
  const email = random.chance(0.4) ? plan.newAddress() : null
  let at = plan.moment(plan.time, 6 * hour)
  for (let pages = random.between(1, 5); pages > 0; pages--) {
    const arrival = random.chance(0.5) ? random.oneOf(arrivals) : byItself
    const told: Told[] = random.chance(0.5) ? [viewed, did('scrolled')] : [viewed]
    if (email !== null && pages === 1) told.push(isCalled(email, { plan: random.oneOf(['basic', 'pro']) }))
    plan.at(at, () => visitor.tellOnWebsite(`/page-${random.between(1, 3)}`, arrival, told))
    at += pause(plan)
  }
}

/** Somebody who says what they are like before they say who they are, and later something else. */
export function talkativeVisitor(plan: Plan): void {
  const visitor = plan.newcomer(aPerson)
  const email = plan.newAddress()
  const begin = looksAround(plan, visitor, plan.moment(plan.time, 24 * hour))
  const says = (after: number, told: Told[]) =>
    plan.at(begin + after, () => visitor.tellOnPage('launch', byItself, told))
  says(minute, [isCalled(null, { team: 'sales', city: 'Ulm' })])
  says(2 * minute, [did('plan_chosen'), isCalled(email.toUpperCase(), { plan: 'basic' })])
  says(3 * hour, [isCalled(email, { plan: 'pro' })])
  says(4 * hour, [isCalled(null, { team: 'support' })])
}
