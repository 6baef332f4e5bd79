import { byItself } from '../arrival.ts'
import { hour, type Plan } from '../plan.ts'
import { aDisguise, aProgram, gatewayAgents, sandboxAgent } from '../visitor-traits.ts'
import { aBrowsers, aMachines, fileLink, inABurst, linkCount, type Mail, onAFile, pageLinks } from './mail.ts'

/** Something that opens links before anybody has read the mail; no two of its requests share a cookie. */
export type Gateway = (plan: Plan, mail: Mail) => void

const allLinks = Array.from({ length: linkCount }, (_, link) => link)

/** Asks for the headers of all links, a second or two after sending. */
const headingGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer((number) => aProgram(number, plan.random.oneOf(gatewayAgents)))
  for (const link of allLinks) {
    const at = mail.sentAt + plan.random.between(800, 2500)
    plan.at(at, () => mail.click(scanner, { link, look: aMachines }, { method: 'HEAD' }))
  }
}

/** Says what it is. */
const namedGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer((number) => aProgram(number, plan.random.oneOf(gatewayAgents)))
  for (const link of allLinks) {
    plan.at(mail.sentAt + 1500 + link * 300, () => mail.click(scanner, { link, look: aMachines }))
  }
}

/** Says nothing of itself. */
const silentGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer((number) => aProgram(number, null))
  plan.at(mail.sentAt + 4000, () => mail.click(scanner, { link: 0, look: aMachines }))
}

/** Looks like a browser, and opens everything at once: as the mail comes, or hours later. */
const disguisedGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer(aDisguise)
  const begin = mail.sentAt + (plan.random.chance(0.5) ? 2000 : 3 * hour)
  for (const link of allLinks) {
    plan.at(begin + link * 500, () => mail.click(scanner, { link, look: inABurst }))
  }
}

/** Looks like a browser, and opens too little for anybody to be sure: never human, unless it asks for a file. */
const carefulGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer(aDisguise)
  const link = plan.random.oneOf(pageLinks)
  plan.at(mail.sentAt + 3000, () => mail.click(scanner, { link, look: aBrowsers }))
}

/** A browser without a window that follows the link, runs the page, and says what it is. */
const sandbox: Gateway = (plan, mail) => {
  const scanner = plan.newcomer((number) => ({
    ...aProgram(number, sandboxAgent),
    saysLanguage: true,
    keepsCookies: true,
  }))
  plan.at(mail.sentAt + 5000, async () => {
    const { pathname } = await mail.click(scanner, { link: 0, look: aMachines })
    await scanner.view(pathname.slice(1), byItself)
  })
}

/** Opens a file's link within seconds: nothing would follow such a click, so that only its haste speaks against it. */
const hastyGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer(aDisguise)
  const look = { ...onAFile, verdict: 'suspected' } as const
  plan.at(mail.sentAt + 2000, () => mail.click(scanner, { link: fileLink, look }))
}

/** Opens every link from another address, and always at once. */
const scatteredGateway: Gateway = (plan, mail) => {
  for (const link of allLinks) {
    const scanner = plan.newcomer(aDisguise)
    plan.at(mail.sentAt + 1000 + link * 700, () => mail.click(scanner, { link, look: inABurst }))
  }
}

/** Looks like a browser, and leaves the page to a program that says what it is: no sign of anybody behind it. */
const dividedGateway: Gateway = (plan, mail) => {
  const scanner = plan.newcomer((number) => ({ ...aDisguise(number), keepsCookies: true }))
  const renderer = plan.newcomer((number) => aProgram(number, sandboxAgent))
  plan.at(mail.sentAt + 3000, async () => {
    const { pathname } = await mail.click(scanner, { link: 0, look: aBrowsers })
    renderer.caller.cookie = scanner.caller.cookie
    await renderer.view(pathname.slice(1), byItself)
  })
}

export const gateways: readonly Gateway[] = [
  headingGateway,
  namedGateway,
  silentGateway,
  disguisedGateway,
  carefulGateway,
  sandbox,
  hastyGateway,
  scatteredGateway,
  dividedGateway,
]
