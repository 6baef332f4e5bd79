// `capture backup verify`, and what a service verifies by itself (docs/backup-and-restore.md).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { type BackedUpBox, backedUpBox, isBackedUp, kept, objectsIn } from './harness/backup-box.ts'

/** A target with two bases and increments behind each. */
async function filled(options: Parameters<typeof backedUpBox>[0] = {}): Promise<BackedUpBox> {
  const backed = await backedUpBox(options)
  const { box } = backed
  const server = await box.serve()
  for (let round = 0; round < 2; round++) {
    submissionIdOf(await server.send(formRequest()))
    await isBackedUp(backed)
    await box.done(['backup', 'now'])
  }
  submissionIdOf(await server.send(formRequest()))
  await isBackedUp(backed)
  await server.stop()
  return backed
}

const verify = ['backup', 'verify', '--json']

describe('a target', () => {
  let backed: BackedUpBox
  let asFilled: () => void
  beforeAll(async () => {
    backed = await filled()
    asFilled = kept(backed)
  }, buildMsMax)
  beforeEach(() => asFilled())
  afterAll(() => backed[Symbol.asyncDispose]())

  test('that is sound is checked without an identity, and restored with one, and nothing is left behind', async () => {
    const { box, target, identity } = backed
    const names = () => [readdirSync(box.dir), readdirSync(box.dataDir).filter((name) => name.startsWith('.'))]
    const before = names()
    const expected = { target, contents: 1, isSealed: true, faults: [] }
    expect(JSON.parse(await box.done(verify))).toMatchObject([{ ...expected, restored: false }])
    expect(JSON.parse(await box.done([...verify, '--identity', identity]))).toMatchObject([
      { ...expected, restored: true, records: { submissions: 3, events: 0, pageViews: 0, clicks: 0, others: 0 } },
    ])
    expect(names()).toEqual(before)
  })

  test('with an object that has the bytes of another one has it named, without an identity', async () => {
    const { box, folder } = backed
    const [first = '', second = ''] = objectsIn(folder, 'increments').slice(-2)
    copyFileSync(join(folder, first), join(folder, second))
    const { status, stdout } = await box.run(verify)
    expect(status).toBe(1)
    expect(JSON.parse(stdout)[0].faults).toEqual([
      { object: second, message: 'is damaged: it was written under another name' },
    ])
  })

  test('has every missing and damaged object named, older ones too', async () => {
    const { box, folder } = backed
    const [oldest = ''] = objectsIn(folder, 'bases').filter((name) => /_\d+$/.test(name))
    const [content = ''] = objectsIn(folder, 'assets')
    truncateSync(join(folder, oldest), 500)
    rmSync(join(folder, content))
    const { status, stdout, stderr } = await box.run(verify)
    expect(status).toBe(1)
    expect(JSON.parse(stdout)[0].faults).toEqual(
      expect.arrayContaining([
        { object: oldest, message: expect.stringContaining('damaged') },
        { object: content, message: 'is missing' },
      ]),
    )
    for (const name of [oldest, content]) expect(stderr).toContain(name)
  })
})

test('a target in the clear is restored without an identity, also where there is no box', async () => {
  await using backed = await filled({ recipients: [] })
  rmSync(backed.box.dataDir, { recursive: true })
  expect(JSON.parse(await backed.box.done(verify))).toMatchObject([{ isSealed: false, restored: true, faults: [] }])
})

test('a service verifies by itself, and sends damaged contents again', async () => {
  await using backed = await backedUpBox()
  const { box, folder } = backed
  await box.done(['backup', 'now'])
  const [content = ''] = objectsIn(folder, 'assets')
  const bytes = statSync(join(folder, content)).size
  truncateSync(join(folder, content), 10)
  await using _server = await box.serve()
  await eventually('it is whole again', async () => statSync(join(folder, content)).size === bytes)
  expect(JSON.parse(await box.done(verify))).toMatchObject([{ faults: [] }])
})
