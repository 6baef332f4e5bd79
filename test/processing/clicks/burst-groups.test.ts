import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ClicksAroundQuery, GroupStretch } from '../../../src/processing/clicks/burst-groups.ts'
import { BurstGroups } from '../../../src/processing/clicks/burst-groups.ts'
import type { StoredClick } from '../../../src/processing/clicks/click-fact.ts'
import type { DeviceKey } from '../../../src/processing/devices.ts'
import type { EntryKey } from '../../../src/processing/entry-key.ts'

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

/** Answers as the port demands. */
const storageOf =
  (stored: readonly StoredClick[], asked: GroupStretch[]) =>
  (stretches: GroupStretch[]): StoredClick[][] =>
    stretches.map((stretch) => {
      asked.push(stretch)
      const { from, to, group } = stretch
      const inOrder = stored.filter(({ burstGroup }) => burstGroup === group).sort(byReceipt)
      const before = inOrder.filter(({ receivedAt }) => receivedAt >= from - withinMs && receivedAt <= from)
      const after = inOrder.filter(({ receivedAt }) => receivedAt > from && receivedAt <= to + withinMs)
      return [...before.slice(-limit), ...after.slice(0, limit)]
    })

const queryAt = (at: number, group: string): ClicksAroundQuery => ({ accountId, group, at, withinMs, limit })

const keysOf = (clicks: readonly StoredClick[]) => clicks.map(({ key }) => key)

test('the clicks around one are the nearest of the stored ones and the step’s, whatever was foreseen', () => {
  const place = fc.record({ at: fc.nat({ max: 60 }), group: fc.constantFrom('x', 'x', 'x', 'y') })
  const aTurn = fc.record({
    at: fc.nat({ max: 60 }),
    group: fc.constantFrom('x', 'x', 'y'),
    isForeseen: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 25 }), fc.array(aTurn, { maxLength: 25 }), (places, turns) => {
      const stored = places.map(({ at, group }, index) => clickAt(at, index + 1, group))
      const groups = new BurstGroups(storageOf(stored, []))
      groups.foresee(turns.filter(({ isForeseen }) => isForeseen).map(({ at, group }) => queryAt(at, group)))
      const all = [...stored]
      for (const { at, group } of turns) {
        expect(keysOf(groups.around(queryAt(at, group)))).toEqual(keysOf(nearest(all, { at, group })))
        const added = clickAt(at, all.length + 1, group)
        groups.add(accountId, added)
        all.push(added)
      }
    }),
  )
})

test('storage is asked once for a batch of clicks in one group', () => {
  const asked: GroupStretch[] = []
  const groups = new BurstGroups(storageOf([clickAt(95, 1, 'x')], asked))
  const instants = [100, 101, 105, 103]
  groups.foresee(instants.map((at) => queryAt(at, 'x')))
  for (const at of instants) expect(keysOf(groups.around(queryAt(at, 'x')))).toEqual([1 as EntryKey])
  expect(asked).toEqual([{ accountId, group: 'x', withinMs, limit, from: 100, to: 105 }])
})
