import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { listIncrements } from '../../src/backup/format/object-names.ts'
import { S3Target } from '../../src/storage/target/s3-target.ts'
import { assembled } from '../backup/assembled.ts'
import { aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type S3Server, startS3Server } from '../harness/s3-server.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { mayBeBusy, nothingAcknowledged, startLoad } from './harness/load.ts'
import { trackedLink } from './harness/requests.ts'

// Backups that leave the box (docs/backup-and-restore.md), as the executable makes them.

const kills = 3
/** Between two requests of a connection: an increment takes a second to come, and the machine has more to do. */
const pauseMs = 20
const testMsMax = 900_000
const site = aSite({ files: { 'pages/launch.html': '<h1>Launch</h1>' } })

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
}, buildMsMax)
afterAll(() => s3[Symbol.asyncDispose]())

const identity = await generateX25519Identity()
const recipients = [await identityToRecipient(identity)]

interface Row {
  kind: 'base' | 'increment'
  at: string
  from: number
  to: number
  bytes: number
  target: string
}

const rowsOf = async (box: BinaryBox): Promise<Row[]> => JSON.parse(await box.done(['backup', 'list', '--json']))

async function backupCheck(box: BinaryBox): Promise<{ status: string; found: string } | undefined> {
  const { checks } = JSON.parse((await box.run(['doctor', '--json'])).stdout)
  return checks.find(({ check }: { check: string }) => check === 'backup')
}

const ok = async (box: BinaryBox): Promise<boolean> => (await backupCheck(box))?.status === 'ok'

function bucketKeys(): { url: string; keys: Record<string, unknown> } {
  const url = `s3://${s3.bucket()}/capture`
  const keys = {
    s3_endpoint: s3.endpoint,
    s3_region: s3.region,
    s3_access_key: s3.accessKey,
    s3_secret_key: s3.secretKey,
  }
  return { url, keys: { to: [url], recipients, increment_every: '1s', ...keys } }
}

describe('a bucket', () => {
  test(
    'gets everything while the service runs, and nothing readable',
    async () => {
      const { url, keys } = bucketKeys()
      await using box = await BinaryBox.make({ backup: keys })
      await box.apply(site)
      await using server = await box.serve()
      await server.says('stderr', /A base was backed up/)
      const id = submissionIdOf(await server.send(formRequest({ fields: { email: 'ada@example.test' } })))
      await eventually('the submission is in an increment', async () => (await rowsOf(box)).some(({ to }) => to > 0))
      const [base, ...increments] = await rowsOf(box)
      expect(base).toMatchObject({ kind: 'base', from: 0, target: url })
      expect(increments.slice(1).map(({ from }) => from)).toEqual(increments.slice(0, -1).map(({ to }) => to))
      const target = new S3Target({ ...s3, url })
      expect(JSON.stringify((await assembled(target, [identity])).ledger)).toContain(id)
      for await (const { name } of target.list('increments/')) {
        const stored = Buffer.from((await target.get(name)) ?? '').toString('latin1')
        expect(stored).not.toContain('ada@example.test')
        expect(stored).not.toContain('acme.test')
      }
      await eventually('doctor is content', () => ok(box))
    },
    testMsMax,
  )

  test(
    'of another box is refused, which serves on',
    async () => {
      const { keys } = bucketKeys()
      await using first = await BinaryBox.make({ backup: keys })
      await using second = await BinaryBox.make({ backup: keys })
      for (const box of [first, second]) await box.apply(site)
      await using one = await first.serve()
      await one.says('stderr', /A base was backed up/)
      await using other = await second.serve()
      await other.says('stderr', /belongs to another box/)
      expect((await other.send(formRequest())).status).toBe(200)
      const { status, stderr } = await second.run(['backup', 'now'])
      expect(status).toBe(1)
      expect(stderr).toContain('belongs to another box')
      expect(await backupCheck(second)).toMatchObject({ status: 'warning' })
      await one.send(formRequest())
      await eventually('the first goes on', async () => (await rowsOf(first)).some(({ to }) => to > 0))
    },
    testMsMax,
  )

  test(
    'that does not answer costs no visitor anything, and is caught up with',
    async () => {
      const { keys } = bucketKeys()
      await using box = await BinaryBox.make({ backup: keys })
      await box.apply(site)
      await using server = await box.serve()
      await eventually('doctor is content', () => ok(box))
      await s3.stop()
      try {
        await server.says('stderr', /A backup failed; it is tried again/)
        expect((await server.send(formRequest())).status).toBe(200)
        expect(await backupCheck(box)).toMatchObject({ status: 'warning' })
      } finally {
        await s3.start()
      }
      await server.says('stderr', /Backups reach the target again/)
      await eventually('the submission is there', async () => (await rowsOf(box)).some(({ to }) => to > 0))
      await eventually('doctor is content', () => ok(box))
    },
    testMsMax,
  )

  test(
    `of a box that was killed ${kills} times under load has all that was acknowledged before the last increment`,
    async () => {
      const { url, keys } = bucketKeys()
      await using box = await BinaryBox.make({ backup: keys })
      await box.apply(site)
      const link = await trackedLink(box)
      const target = new S3Target({ ...s3, url })
      for (let kill = 0; kill < kills; kill++) {
        await using server = await box.serve()
        const acknowledged = nothingAcknowledged()
        const load = startLoad({ server, link, acknowledged, pauseMs, mayRefuse: mayBeBusy })
        await load.reached(50)
        const early = acknowledged.submissionIds.slice()
        const [{ last = 0 } = {}] = await lastPoints(target)
        await eventually('an increment was taken later', async () => {
          const [point] = await lastPoints(target)
          return point !== undefined && point.from > last
        })
        await Bun.sleep(Math.random() * 500)
        server.signal('SIGKILL')
        await server.ended()
        await load.stop()
        const contents = JSON.stringify((await assembled(target, [identity])).ledger)
        expect(early.filter((id) => !contents.includes(id))).toEqual([])
      }
    },
    testMsMax * 2,
  )
})

describe('a folder', () => {
  async function withFolder() {
    const box = await BinaryBox.make({ backup: {} })
    const dir = join(box.dir, 'backups')
    const to = [pathToFileURL(dir).href]
    const written = Bun.TOML.parse(await Bun.file(box.configFile).text()) as object
    await Bun.write(box.configFile, Bun.TOML.stringify({ ...written, backup: { to, increment_every: '1s' } }))
    return { box, dir }
  }

  test(
    'gets a base by hand, with and without a running service',
    async () => {
      const made = await withFolder()
      await using box = made.box
      await box.apply(site)
      const [first] = JSON.parse(await box.done(['backup', 'now', '--json'])) as Row[]
      await using server = await box.serve()
      await server.send(formRequest())
      await eventually('an increment follows', async () => (await rowsOf(box)).some(({ to }) => to > 0))
      const [second] = JSON.parse(await box.done(['backup', 'now', '--json'])) as Row[]
      await server.send(formRequest())
      await eventually('increments go on', async () => (await rowsOf(box)).some(({ to }) => to > (second?.to ?? 0)))
      const bases = (await rowsOf(box)).filter(({ kind }) => kind === 'base')
      expect(bases.map(({ at }) => at)).toEqual([first?.at ?? '', second?.at ?? ''])
      expect(server.stderr).not.toContain('A backup failed')
    },
    testMsMax,
  )

  test(
    'that another copy of the box writes to is refused, until --take-over says that the copy is gone',
    async () => {
      const made = await withFolder()
      await using box = made.box
      await box.apply(site)
      await box.done(['backup', 'now'])
      const copy = { CAPTURE_DATA_DIR: join(box.dir, 'copy') }
      cpSync(box.dataDir, copy.CAPTURE_DATA_DIR, { recursive: true })
      const server = await box.serve()
      await eventually('doctor is content', () => ok(box))
      await server.stop()
      expect(await box.run(['backup', 'now'], copy)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('another copy of this box'),
      })
      expect(await box.run(['backup', 'now', '--take-over'], copy)).toMatchObject({ status: 0 })
      expect(await box.run(['backup', 'now'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('--take-over'),
      })
    },
    testMsMax,
  )

  test(
    'that is not mounted is away, and nothing is written in its place',
    async () => {
      const made = await withFolder()
      await using box = made.box
      await box.apply(site)
      await using server = await box.serve()
      await eventually('doctor is content', () => ok(box))
      renameSync(made.dir, `${made.dir}-unmounted`)
      await server.says('stderr', /perhaps its disk is not mounted\./)
      expect(await Bun.file(join(made.dir, 'owner')).exists()).toBe(false)
      expect(await backupCheck(box)).toMatchObject({ status: 'warning' })
      renameSync(`${made.dir}-unmounted`, made.dir)
      await eventually('doctor is content', () => ok(box))
    },
    testMsMax,
  )
})

/** The latest increment: its positions, the last one as `last`. */
async function lastPoints(target: S3Target): Promise<{ from: number; last: number }[]> {
  const points = await Array.fromAsync(listIncrements(target))
  return points.slice(-1).map(({ from, to }) => ({ from, last: to }))
}
