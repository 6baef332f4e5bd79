import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Clicks, type ClicksAroundQuery, type StoredClick } from '../../../src/processing/clicks/clicks.ts'
import type { DeviceKey } from '../../../src/processing/devices.ts'
import type { EntryKey } from '../../../src/processing/ledger-item.ts'
import { click } from '../../report/sample-entries.ts'

const accountId = 'account-a'
const withinMs = 10
const limit = 3

const clickAt = (receivedAt: number, key: number, group: string): StoredClick => ({
  key: key as EntryKey,
  device: 1 as DeviceKey,
  receivedAt,
  day: 0,
  message: '',
  recipient: null,
  url: 'https://go.acme.example/launch',
  burstGroup: group,
  agent: '',
  verdict: 'human',
  reasons: [],
  lifeAt: null,
})

const byReceipt = (one: StoredClick, other: StoredClick) => one.receivedAt - other.receivedAt || one.key - other.key

/** The nearest clicks on either side of an instant: those up to it, and those behind it. */
function nearest(
  clicks: readonly StoredClick[],
  { group, at }: Pick<ClicksAroundQuery, 'group' | 'at'>,
): StoredClick[] {
  const near = clicks
    .filter(({ burstGroup, receivedAt }) => burstGroup === group && Math.abs(receivedAt - at) <= withinMs)
    .sort(byReceipt)
  const behind = near.filter(({ receivedAt }) => receivedAt > at)
  return [...near.slice(0, near.length - behind.length).slice(-limit), ...behind.slice(0, limit)]
}

/** As storage answers: those behind the instant may be later than asked for. */
function loaded(clicks: readonly StoredClick[], { group, at }: ClicksAroundQuery): StoredClick[] {
  const behind = clicks.filter(({ burstGroup, receivedAt }) => burstGroup === group && receivedAt > at)
  const upTo = clicks.filter(({ receivedAt }) => receivedAt <= at)
  return [...nearest(upTo, { group, at }), ...behind.sort(byReceipt).slice(0, limit)]
}

const keysOf = (clicks: readonly StoredClick[]) => clicks.map(({ key }) => key)

test('the clicks around one are the nearest of the stored ones and the step’s', () => {
  const place = fc.record({ at: fc.nat({ max: 60 }), group: fc.constantFrom('x', 'x', 'x', 'y') })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 25 }), fc.array(place, { maxLength: 25 }), (places, turns) => {
      const stored = places.map(({ at, group }, index) => clickAt(at, index + 1, group))
      const clicksAround = (query: ClicksAroundQuery) => loaded(stored, query).reverse()
      const underWay = { key: 0 as EntryKey }
      const clicks = new Clicks({ clicksAround, clicksAwaitingLife: () => [], capturedClick: () => null }, underWay)
      const all = [...stored]
      for (const { at, group } of turns) {
        const query = { accountId, group, at, withinMs, limit }
        expect(keysOf(clicks.around(query))).toEqual(keysOf(nearest(all, query)))
        const added = clickAt(at, all.length + 1, group)
        underWay.key = added.key
        clicks.add(click(), added)
        all.push(added)
      }
    }),
  )
})
