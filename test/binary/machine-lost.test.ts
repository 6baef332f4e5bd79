// The proof of docs/backup-and-restore.md: the machine is lost at random moments under load, and what was acknowledged before the
// latest increment is there again, and erased persons are not.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { listBases, listIncrements } from '../../src/backup/format/object-names.ts'
import type { BackupTarget } from '../../src/backup/target/backup-target.ts'
import { FileTarget } from '../../src/storage/target/file-target.ts'
import { S3Target } from '../../src/storage/target/s3-target.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type S3Server, startS3Server } from '../harness/s3-server.ts'
import { type BackedUpBox, backedUpBox } from './harness/backup-box.ts'
import type { RunningServer } from './harness/program.ts'

/** LOSSES sets how often, for each box. */
const lossesOf = (usually: number): number => Number(process.env.LOSSES ?? usually)
const senders = 4
const loadMs = { min: 500, max: 2500 }
/** Between two leads of a sender: the box is busy, and leaves the others some of the machine. */
const pauseMs = 5

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
}, buildMsMax)
afterAll(() => s3[Symbol.asyncDispose]())

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
async function latestMoment(target: BackupTarget): Promise<number> {
  const points = [...(await listBases(target)), ...(await Array.fromAsync(listIncrements(target)))]
  return Math.max(...points.map(({ at }) => at))
}

interface Losing {
  round: string
  /** Whom to erase meanwhile. */
  erasing: string | null
  /** Resolves when the machine may be lost: the target has what was there at an instant, or at once. */
  reaches: (instant: number) => Promise<void>
}

/** Runs the box under load until it is killed and its folder gone. */
async function loseUnderLoad({ box }: BackedUpBox, { round, erasing, reaches }: Losing) {
  const server = await box.serve()
  let lostAt = 0
  const sending = Array.from({ length: senders }, (_, sender) => load(server, () => lostAt > 0, `${round}-${sender}`))
  if (erasing !== null) await box.done(['person', 'erase', 'acme', erasing, '--yes'])
  const erasedAt = Date.now()
  await reaches(erasedAt)
  await Bun.sleep(loadMs.min + Math.random() * (loadMs.max - loadMs.min))
  server.signal('SIGKILL')
  lostAt = Date.now()
  await server.exits()
  const acknowledged = (await Promise.all(sending)).flat()
  rmSync(box.dataDir, { recursive: true })
  return { acknowledged: acknowledged.filter(({ at }) => at < lostAt), erasedAt }
}

/** A box with a target of its own, and that target as another machine sees it. */
const places = {
  folder: async () => {
    const backed = await backedUpBox()
    return { backed, url: backed.target, target: new FileTarget(backed.target, backed.folder) }
  },
  bucket: async () => {
    const { endpoint, region, accessKey, secretKey } = s3
    const url = `s3://${s3.bucket()}/capture`
    const keys = { s3_endpoint: endpoint, s3_region: region, s3_access_key: accessKey, s3_secret_key: secretKey }
    const backed = await backedUpBox({ backup: { to: [url], ...keys } })
    return { backed, url, target: new S3Target({ url, endpoint, region, accessKey, secretKey }) }
  },
}

// Most of it is waiting, and so the boxes do it side by side.
test.concurrent.each([
  [lossesOf(3), 'folder'],
  [lossesOf(2), 'bucket'],
] as const)(
  '%i times the machine is lost under load, and its %s brings everything back',
  async (losses, kind) => {
    const { backed, url, target } = await places[kind]()
    await using _backed = backed
    const { box, identity } = backed
    await box.done(['backup', 'now'])
    /** Leads that were there after the last restore, but for erased ones. */
    let kept: Acknowledged[] = []
    for (let round = 0; round < losses; round++) {
      const erased = kept[0] ?? null
      const { acknowledged, erasedAt } = await loseUnderLoad(backed, {
        ...{ round: String(round), erasing: erased?.email ?? null },
        // Every other time the machine may be gone before its first base.
        reaches: async (instant) => {
          if (round % 2 === 0) await eventually('the target has it', async () => (await latestMoment(target)) > instant)
        },
      })
      const safeAt = await latestMoment(target)
      await box.done(['restore', url, '--identity', identity])
      const there = new Set((await box.submissions()).map(({ submissionId }) => submissionId))
      const expected = [...kept.slice(1), ...acknowledged.filter(({ at }) => at < safeAt)]
      expect(expected.filter(({ id }) => !there.has(id))).toEqual([])
      const isErased = erased === null || erasedAt >= safeAt || !there.has(erased.id)
      expect(isErased).toBe(true)
      kept = [...kept, ...acknowledged].filter(({ id }) => there.has(id))
    }
    expect(kept.length).toBeGreaterThan(0)
  },
  1_800_000,
)
