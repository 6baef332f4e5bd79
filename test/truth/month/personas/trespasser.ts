import { hour, minute, type Plan } from '../plan.ts'
import { did } from '../told.ts'
import { trackingKey } from '../true-site.ts'
import { Visitor } from '../visitor.ts'
import { aPerson } from '../visitor-traits.ts'

/** Carries what one account gave them to another: a cookie, a tracking key, a tracked link. It is unknown there. */
export function trespasser({ from, into }: { from: Plan; into: Plan }): void {
  const { world } = from
  const here = from.newcomer(aPerson)
  const there = new Visitor(world, into.site, here.traits)
  const at = from.moment(from.time, 2 * hour)
  from.at(at, () => here.view('launch'))
  from.at(at + minute, async () => {
    there.caller.cookie = here.caller.cookie
    const { account, host } = from.site
    const link = { account, host, to: `https://${host}/launch`, message: 'november', email: undefined, sentAt: at }
    await there.passBy(await world.sign(link), 404)
    const posting = { origin: into.site.origin, sendsCookie: true }
    const key = { 'x-svc-site-key': trackingKey(account) }
    const event = { events: [{ event: 'trespassed' }] }
    await there.fail({ endpoint: 'event', check: 'tracking_key' }, there.caller.post('/_svc/e', event, posting, key))
  })
  // Their cookie is nobody's there: they are somebody new, who says the same address.
  from.at(at + 2 * minute, async () => {
    await there.view('launch')
    if (there.caller.device === here.caller.device) throw new Error('a cookie was believed on another account')
  })
  from.at(at + 3 * minute, () =>
    there.tellOnPage('launch', { query: '', referer: null, from: direct }, [did('looked')]),
  )
}

const direct = { source: 'direct', medium: 'none', campaign: null }
