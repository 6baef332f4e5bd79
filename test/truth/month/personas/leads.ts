import { hour, minute, type Plan, second } from '../plan.ts'
import { formIds } from '../true-site.ts'
import type { Visitor } from '../visitor.ts'
import { aPerson, aServer } from '../visitor-traits.ts'
import { looksAround } from './ordinary.ts'

/** How they send one form: how long after they are ready, and which sending it repeats. */
type Habit = readonly { after: number; repeats?: number; isOtherForm?: boolean; changes?: Record<string, string> }[]

const once: Habit = [{ after: 0 }]
const doubleClick: Habit = [{ after: 0 }, { after: 2 * second, repeats: 0 }]
const again: Habit = [{ after: 0 }, { after: 9 * minute + 50 * second, repeats: 0 }]
/** The third is too late for the first, and not for the second. */
const andAgain: Habit = [{ after: 0 }, { after: 8 * minute, repeats: 0 }, { after: 16 * minute, repeats: 0 }]
const muchLater: Habit = [{ after: 0 }, { after: 10 * minute + 10 * second }]
const corrected: Habit = [{ after: 0 }, { after: minute, changes: { message: 'what I meant to say' } }]
const twoForms: Habit = [{ after: 0 }, { after: minute, isOtherForm: true }]
const habits: readonly Habit[] = [once, once, once, doubleClick, again, andAgain, muchLater, corrected, twoForms]

const formsFilled = [formIds.contact, formIds.contact, formIds.signup] as const

const otherForm = (form: string): string => (form === formIds.contact ? formIds.signup : formIds.contact)

/** Sends a form as is their habit, from an instant on. */
function sends(
  plan: Plan,
  visitor: Visitor,
  filled: { habit: Habit; from: number; fields: Record<string, string>; form: string },
) {
  const sentAt: number[] = []
  for (const { after, repeats, isOtherForm = false, changes = {} } of filled.habit) {
    const form = isOtherForm ? otherForm(filled.form) : filled.form
    plan.at(filled.from + after, async () => {
      const earlier = repeats === undefined ? null : (sentAt[repeats] ?? null)
      sentAt.push(visitor.now)
      await visitor.submit({ form, fields: { ...filled.fields, ...changes }, repeats: earlier })
    })
  }
}

/** A visitor who sends a form at the end; many send it twice. Some come back on another device, and send another. */
export function lead(plan: Plan): void {
  const { random } = plan
  const email = plan.newAddress()
  for (let devices = random.chance(0.3) ? 2 : 1; devices > 0; devices--) {
    const visitor = plan.newcomer(aPerson)
    const ready = looksAround(plan, visitor, plan.moment(plan.time, 8 * hour)) + random.between(20, 200) * second
    const fields = { email, message: `device ${devices}` }
    sends(plan, visitor, { habit: random.oneOf(habits), from: ready, fields, form: random.oneOf(formsFilled) })
    if (random.chance(0.5)) looksAround(plan, visitor, ready + hour)
  }
}

/** One who does not say who they are: what tells that they send the same again is their device. */
export function namelessLead(plan: Plan): void {
  const visitor = plan.newcomer(aPerson)
  const from = looksAround(plan, visitor, plan.moment(plan.time, 8 * hour)) + minute
  const fields = { message: 'please call me' }
  sends(plan, visitor, { habit: plan.random.oneOf(habits), from, fields, form: formIds.feedback })
}

/** Posted by the account's own server: nothing tells of which device, nor where they came from. */
export function serverLead(plan: Plan): void {
  const visitor = plan.newcomer(aServer)
  const email = plan.newAddress()
  const at = plan.moment(plan.time, hour)
  plan.at(at, () => visitor.submit({ form: formIds.contact, fields: { email } }, 'server'))
  // Without a name and a device two that say the same may be two people.
  const nobody = { form: formIds.feedback, fields: { message: 'an order' } }
  for (const after of [minute, 2 * minute]) plan.at(at + after, () => visitor.submit(nobody, 'server'))
}

/** On the account's website: a lead of a device where the cookie comes along, else of none. */
export function websiteLead(plan: Plan): void {
  const visitor = plan.newcomer(aPerson)
  const email = plan.newAddress()
  const ready = looksAround(plan, visitor, plan.moment(plan.time, 8 * hour)) + minute
  plan.at(ready, () => visitor.submit({ form: formIds.signup, fields: { email } }, 'website'))
}

/** Two people at one screen: what is viewed between them is the first one's, what comes after is the second one's. */
export function sharedDevice(plan: Plan): void {
  const visitor = plan.newcomer(aPerson)
  let at = plan.moment(plan.time, 40 * hour)
  for (const email of [plan.newAddress(), plan.newAddress()]) {
    at = looksAround(plan, visitor, at) + minute
    const ready = at
    plan.at(ready, () => visitor.submit({ form: formIds.contact, fields: { email, message: 'from both of us' } }))
    at = looksAround(plan, visitor, ready + hour) + hour
  }
}
