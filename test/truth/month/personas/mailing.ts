import { byItself } from '../arrival.ts'
import { day, hour, minute, type Plan, second } from '../plan.ts'
import { formIds } from '../true-site.ts'
import { aDisguise, aPerson } from '../visitor-traits.ts'
import { gateways } from './gateway.ts'
import {
  aBrowsers,
  aheadOfTime,
  besideABurst,
  fileLink,
  inABurst,
  linkCount,
  Mail,
  onAFile,
  pageLinks,
} from './mail.ts'

/** What a recipient does with a mail. */
type Reader = (plan: Plan, mail: Mail, email: string) => void

const readingTime = ({ random }: Plan): number => random.between(minute, 30 * hour)

/** Follows a link; some send a form there. */
const follows: Reader = (plan, mail, email) => {
  const visitor = plan.newcomer(aPerson)
  const at = mail.sentAt + readingTime(plan)
  const link = plan.random.oneOf(pageLinks)
  plan.at(at, () => mail.follow(visitor, link))
  if (!plan.random.chance(0.5)) return
  plan.at(at + 2 * minute, () => visitor.submit({ form: formIds.signup, fields: { email } }))
}

const followsTwo: Reader = (plan, mail) => {
  const visitor = plan.newcomer(aPerson)
  const at = mail.sentAt + readingTime(plan)
  plan.at(at, () => mail.follow(visitor, 0))
  plan.at(at + 4 * second, () => mail.follow(visitor, 2))
}

/** Had the mail open as it came. */
const isEager: Reader = (plan, mail) => {
  const visitor = plan.newcomer(aPerson)
  plan.at(mail.sentAt + 6 * second, () => mail.follow(visitor, 0))
}

/** Is gone before the page has loaded; some come back another day. */
const leaves: Reader = (plan, mail) => {
  const visitor = plan.newcomer(aPerson)
  const at = mail.sentAt + readingTime(plan)
  plan.at(at, () => mail.click(visitor, { link: 0, look: aBrowsers }))
  if (plan.random.chance(0.4)) plan.at(at + 2 * day, () => visitor.view('launch', byItself))
}

const readsTheFile: Reader = (plan, mail) => {
  const visitor = plan.newcomer(aPerson)
  const at = mail.sentAt + readingTime(plan)
  plan.at(at, () => mail.click(visitor, { link: fileLink, look: onAFile }))
}

/** Their browser has fetched the page by the time they go there, so that this click is the only one. */
const isAwaited: Reader = (plan, mail) => {
  const visitor = plan.newcomer(aPerson)
  const at = mail.sentAt + readingTime(plan)
  const ahead = { headers: { 'sec-purpose': 'prefetch' } }
  plan.at(at, () => mail.click(visitor, { link: 0, look: aheadOfTime }, ahead))
  plan.at(at + 3 * second, () => visitor.tellOnPage('launch', byItself, [{ kind: 'view' }]))
}

/** Their program fetches what they never open. */
const isAwaitedInVain: Reader = (plan, mail) => {
  const visitor = plan.newcomer(aPerson)
  const at = mail.sentAt + readingTime(plan)
  const ahead = { headers: { 'sec-purpose': 'prefetch;prerender' } }
  plan.at(at, () => mail.click(visitor, { link: 1, look: aheadOfTime }, ahead))
}

/** Clicks while their gateway opens everything. */
const isNotAlone: Reader = (plan, mail) => {
  const scanner = plan.newcomer(aDisguise)
  const visitor = plan.newcomer(aPerson)
  for (let link = 0; link < linkCount; link++) {
    const at = mail.sentAt + 20 * second + link * 500
    plan.at(at, () => mail.click(scanner, { link, look: inABurst }))
  }
  plan.at(mail.sentAt + 25 * second, () => mail.follow(visitor, 1, besideABurst))
}

const doesNotCare: Reader = () => {}

const readers: readonly Reader[] = [
  follows,
  follows,
  follows,
  followsTwo,
  isEager,
  leaves,
  leaves,
  readsTheFile,
  isAwaited,
  isAwaitedInVain,
  isNotAlone,
  doesNotCare,
]

const recipients = 2 * readers.length

/** One mailing: every recipient has links of their own, and some of them a gateway that reads before they do. */
export function mailing(plan: Plan, message: string | undefined): void {
  const sentAt = plan.moment(plan.time, 4 * day)
  for (let recipient = 0; recipient < recipients; recipient++) {
    const email = plan.newAddress()
    const mail = new Mail(plan.world.sign, { message, email, sentAt: sentAt + recipient * 200 })
    if (recipient % 2 === 0) gateways[(recipient / 2) % gateways.length]?.(plan, mail)
    readers[recipient % readers.length]?.(plan, mail, email)
  }
}

/** A mailing whose links are the same for everybody. */
export function commonMailing(plan: Plan): void {
  const sentAt = plan.moment(plan.time, 4 * day)
  const mail = new Mail(plan.world.sign, { message: 'to-all', email: undefined, sentAt })
  for (const reader of readers) if (reader !== isNotAlone) reader(plan, mail, plan.newAddress())
}
