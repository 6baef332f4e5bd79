import { expect, test } from 'bun:test'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { backedUpBox, isBackedUp, pointsIn } from './harness/backup-box.ts'
import type { RunningProgram } from './harness/program.ts'

// One process of the service takes over from another while both back up (docs/decisions/0037, 0058).

const handovers = 3
const formsBetween = 20

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
