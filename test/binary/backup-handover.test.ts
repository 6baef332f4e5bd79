import { expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pointNamed } from '../../src/backup/format/object-names.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { backedUpBox, isBackedUp, objectsIn } from './harness/backup-box.ts'
import type { RunningProgram } from './harness/program.ts'

// One process of the service takes over from another while both back up (docs/decisions/0037, 0058).

const handovers = 3
const formsBetween = 20

const pointsIn = (folder: string) =>
  [...objectsIn(folder, 'bases'), ...objectsIn(folder, 'increments')].flatMap((name) => {
    const point = pointNamed(name)
    return point === null ? [] : [point]
  })

test('a service that is taken over loses no increment, and the next process goes on with the target', async () => {
  await using backed = await backedUpBox()
  const { box, target, folder, identity } = backed
  const first = await box.serve()
  const acknowledged: string[] = []
  const sends = async () => {
    for (let sent = 0; sent < formsBetween; sent++) acknowledged.push(submissionIdOf(await first.send(formRequest())))
  }
  await sends()
  await box.done(['backup', 'now'])
  const handedOverAt = Date.now()
  let serving: RunningProgram = first
  const processes: RunningProgram[] = [first]
  for (let time = 0; time < handovers; time++) {
    const next = box.start(['serve', '--replace'])
    await Promise.all([next.says('stderr', /"message":"Listening\."/), sends()])
    expect(await serving.ended()).toEqual({ status: 0, signal: null })
    serving = next
    processes.push(next)
    await sends()
    await isBackedUp(backed)
  }
  await serving.stop()
  const points = pointsIn(folder)
  expect(new Set(points.map(({ history }) => history)).size).toBe(1)
  expect(points.filter(({ kind, at }) => kind === 'base' && at > handedOverAt)).toEqual([])
  expect(processes.filter(({ stderr }) => stderr.includes('A backup failed'))).toEqual([])
  await box.done(['restore', target, '--identity', identity])
  const restored = (await box.submissions()).map(({ submissionId }) => submissionId)
  expect(restored.toSorted()).toEqual(acknowledged.toSorted())
})

test('a service that is upgraded loses no increment, and the new version goes on with the target', async () => {
  const making = realpathSync(mkdtempSync(join(tmpdir(), 'capture-later-')))
  const later = await LaterVersion.make(join(making, 'later'), []).build('0.2.0')
  await using backed = await backedUpBox({ installs: true })
  const { box, target, folder, identity } = backed
  const server = await box.serve()
  const sends = () => server.send(formRequest()).then(submissionIdOf)
  const acknowledged = [await sends()]
  await box.done(['backup', 'now'])
  await isBackedUp(backed)
  const upgradedAt = Date.now()
  await box.done(['upgrade', later, '--watch', '2'])
  expect(await server.exits()).toEqual({ status: 0, signal: null })
  expect(JSON.parse(await box.done(['version', '--json']))).toMatchObject({ capture: '0.2.0' })
  acknowledged.push(await sends())
  await isBackedUp(backed)
  process.kill(box.servingPid() ?? 0, 'SIGTERM')
  await server.ended()
  const points = pointsIn(folder)
  expect(new Set(points.map(({ history }) => history)).size).toBe(1)
  expect(points.filter(({ kind, at }) => kind === 'base' && at > upgradedAt)).toEqual([])
  expect(server.stderr).not.toContain('A backup failed')
  await box.done(['restore', target, '--identity', identity])
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual(acknowledged)
  rmSync(making, { recursive: true })
})
