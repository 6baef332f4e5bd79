// The proof of contract section 12: the machine is lost at random moments under load, and what was acknowledged before the
// latest increment is there again, and erased persons are not.
import { beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { pointNamed } from '../../src/backup/format/object-names.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { type BackedUpBox, backedUpBox, objectsIn } from './harness/backup-box.ts'
import type { RunningServer } from './harness/program.ts'

const boxes = 2
const lossesEach = 10
const senders = 4
const loadMs = { min: 500, max: 2500 }
/** Between two leads of a sender: the box is busy, and leaves the others some of the machine. */
const pauseMs = 5

beforeAll(async () => {
  await builtExecutable()
}, buildMsMax)

interface Acknowledged {
  id: string
  email: string
  at: number
}

/** Sends leads until the machine is lost. */
async function load(server: RunningServer, isLost: () => boolean, round: string): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = []
  for (let number = 0; !isLost(); number++) {
    const email = `lead-${round}-${number}@customer.example`
    const id = await server.send(formRequest({ fields: { email } })).then(submissionIdOf, () => null)
    if (id !== null) acknowledged.push({ id, email, at: Date.now() })
    await Bun.sleep(pauseMs)
  }
  return acknowledged
}

/** The moment up to which the target has everything. */
const latestMoment = ({ folder }: BackedUpBox): number =>
  Math.max(
    ...[...objectsIn(folder, 'bases'), ...objectsIn(folder, 'increments')].map((name) => pointNamed(name)?.at ?? 0),
  )

/** Runs the box under load until it is killed and its folder gone. */
async function loseUnderLoad(backed: BackedUpBox, round: number, erasing: string | null) {
  const { box } = backed
  const server = await box.serve()
  let lostAt = 0
  const sending = Array.from({ length: senders }, (_, sender) => load(server, () => lostAt > 0, `${round}-${sender}`))
  if (erasing !== null) await box.done(['person', 'erase', 'acme', erasing, '--yes'])
  const erasedAt = Date.now()
  await Bun.sleep(loadMs.min + Math.random() * (loadMs.max - loadMs.min))
  server.signal('SIGKILL')
  lostAt = Date.now()
  await server.exits()
  const acknowledged = (await Promise.all(sending)).flat()
  rmSync(box.dataDir, { recursive: true })
  return { acknowledged: acknowledged.filter(({ at }) => at < lostAt), erasedAt }
}

// Most of it is waiting, and so the boxes do it side by side.
const series = Array.from({ length: boxes }, (_, index) => index + 1)
test.concurrent.each(series)(
  `${lossesEach} times the machine is lost under load: box %i of ${boxes}`,
  async () => {
    await using backed = await backedUpBox()
    const { box, target, identity } = backed
    await box.done(['backup', 'now'])
    /** Leads that were there after the last restore, but for erased ones. */
    let kept: Acknowledged[] = []
    for (let round = 0; round < lossesEach; round++) {
      const erased = kept[0] ?? null
      const { acknowledged, erasedAt } = await loseUnderLoad(backed, round, erased?.email ?? null)
      const safeAt = latestMoment(backed)
      await box.done(['restore', target, '--identity', identity])
      const there = new Set((await box.submissions()).map(({ submissionId }) => submissionId))
      const expected = [...kept.slice(1), ...acknowledged.filter(({ at }) => at < safeAt)]
      expect(expected.filter(({ id }) => !there.has(id))).toEqual([])
      const isErased = erased === null || erasedAt >= safeAt || !there.has(erased.id)
      expect(isErased).toBe(true)
      kept = [...kept, ...acknowledged].filter(({ id }) => there.has(id))
    }
    expect(kept.length).toBeGreaterThan(lossesEach)
  },
  600_000,
)
