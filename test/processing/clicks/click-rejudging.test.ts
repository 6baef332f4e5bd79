// `capture clicks rejudge`: today's rules for the clicks of yesterday.
import { describe, expect, test } from 'bun:test'
import { type ClickRules, clickRules } from '../../../src/verdict/click-verdict.ts'
import { ClickWorld, click, view } from './click-world.ts'

const lenient: ClickRules = { ...clickRules, signs: { head: 'suspected' } }

const happened = () => {
  const head = click({ method: 'HEAD', device: 'gateway' })
  const clicked = click({ seconds: 1 })
  const waiting = click({ device: 'bob', recipient: 'to-bob' })
  return { head, clicked, waiting, entries: [head, clicked, view({ seconds: 2 }), waiting] }
}

describe('judging stored clicks again', () => {
  test('changes nothing while the rules are the same', async () => {
    await using world = new ClickWorld()
    world.happen(...happened().entries)
    expect(await world.rejudge()).toEqual({ clicks: 3, changed: [] })
  })

  test('applies other rules, reports how many verdicts changed to what, and moves the figures', async () => {
    await using world = new ClickWorld()
    const { head, clicked, waiting, entries } = happened()
    world.happen(...entries)
    expect(world.verdicts(head, clicked, waiting)).toEqual(['machine', 'human', 'suspected'])
    const { clicks, changed } = await world.rejudge(lenient)
    expect(clicks).toBe(3)
    expect(changed).toHaveLength(2)
    expect(changed).toContainEqual({ from: 'machine', to: 'suspected', clicks: 1 })
    expect(changed).toContainEqual({ from: 'suspected', to: 'human', clicks: 1 })
    expect(world.verdicts(head, clicked, waiting)).toEqual(['suspected', 'human', 'human'])
    const { kept, counted } = world.figures()
    expect(kept).toEqual(counted)
  })

  test('done twice, changes nothing the second time', async () => {
    await using world = new ClickWorld()
    world.happen(...happened().entries)
    await world.rejudge(lenient)
    expect((await world.rejudge(lenient)).changed).toEqual([])
  })

  test('finds bursts by other thresholds, and forgets them again', async () => {
    await using world = new ClickWorld()
    const pair = [click(), click({ to: 'pricing', seconds: 30 })] as const
    world.happen(...pair)
    const patient = { ...clickRules, burst: { destinationsMin: 2, seconds: 60 } }
    expect((await world.rejudge(patient)).changed).toEqual([{ from: 'suspected', to: 'machine', clicks: 2 }])
    expect((await world.rejudge()).changed).toEqual([{ from: 'machine', to: 'suspected', clicks: 2 }])
  })

  test('keeps what signs of life said', async () => {
    await using world = new ClickWorld()
    const { clicked, entries } = happened()
    world.happen(...entries)
    await world.rejudge({ ...clickRules, signs: {} })
    await world.rejudge()
    expect(world.verdicts(clicked)).toEqual(['human'])
  })

  test('leaves the clicks of other accounts alone', async () => {
    await using world = new ClickWorld()
    const elsewhere = click({ accountId: 'account-b', method: 'HEAD' })
    world.happen(elsewhere)
    expect(await world.rejudge(lenient)).toEqual({ clicks: 0, changed: [] })
    expect(world.verdicts(elsewhere)).toEqual(['machine'])
  })

  test('goes through any number of clicks', async () => {
    await using world = new ClickWorld()
    world.happen(
      ...Array.from({ length: 700 }, (_, index) => click({ device: `d-${index}`, recipient: `to-${index}` })),
    )
    const { clicks, changed } = await world.rejudge({ ...clickRules, signs: {} })
    expect({ clicks, changed }).toEqual({ clicks: 700, changed: [{ from: 'suspected', to: 'human', clicks: 700 }] })
  })
})
