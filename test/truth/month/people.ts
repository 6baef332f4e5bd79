import { lead, namelessLead, serverLead, sharedDevice, websiteLead } from './personas/leads.ts'
import { commonMailing, mailing } from './personas/mailing.ts'
import { forgetfulVisitor, ordinaryVisitor, talkativeVisitor, websiteVisitor } from './personas/ordinary.ts'
import { crawler, prefetching, rendering, server, testPage } from './personas/programs.ts'
import { mistakenForSpam, mistakes, movedLink, spammer } from './personas/refused.ts'
import { trespasser } from './personas/trespasser.ts'
import type { Plan } from './plan.ts'

type Persona = (plan: Plan) => void

/** How many of each come to an account: at least so many, and at most so many more. */
const people: readonly [persona: Persona, least: number, more: number][] = [
  [ordinaryVisitor, 60, 30],
  [forgetfulVisitor, 10, 10],
  [websiteVisitor, 30, 20],
  [talkativeVisitor, 4, 4],
  [lead, 40, 20],
  [namelessLead, 8, 6],
  [serverLead, 4, 4],
  [websiteLead, 6, 6],
  [sharedDevice, 5, 4],
  [commonMailing, 1, 0],
  [crawler, 10, 8],
  [rendering, 3, 4],
  [server, 5, 5],
  [prefetching, 6, 6],
  [testPage, 2, 2],
  [spammer, 8, 8],
  [mistakenForSpam, 6, 5],
  [mistakes, 2, 2],
  [movedLink, 1, 2],
]
const messages = ['november', 'offer-2', 'offer-2', undefined]

/** Who comes to the accounts, and what they will do; two plans hold different people with the same names. */
export function populate(plans: Plan[]): void {
  for (const plan of plans) {
    for (const [persona, least, more] of people) {
      for (let count = plan.random.between(least, least + more); count > 0; count--) persona(plan)
    }
    for (const message of messages) mailing(plan, message)
  }
  for (const from of plans) for (const into of plans) if (from !== into) trespasser({ from, into })
}
