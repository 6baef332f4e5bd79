import { beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import type { RunningProgram } from './harness/program.ts'
import { secureBox, securePorts } from './harness/secure-box.ts'
import { migratesHandshakes } from './harness/tls-client.ts'
import { Visitors } from './harness/visitors.ts'

// One process of the service takes over from another (docs/decisions/0037), over real sockets.

const host = 'go.acme.test'
const testMsMax = 120_000
const handovers = 10

beforeAll(async () => {
  await builtExecutable()
}, buildMsMax)

test(
  'the service is taken over ten times under load: no request is lost, and every record is there',
  async () => {
    await using box = await secureBox([host])
    await box.apply(aSite())
    const first = await box.serve()
    const { https } = securePorts(first)
    const visitors = new Visitors({ plain: first.port, tls: https }, host, [
      ...times(4, { requestsMax: Number.POSITIVE_INFINITY }),
      ...times(2, { requestsMax: 20 }),
      ...times(2, { requestsMax: 1 }),
      ...times(3, { tls: host, requestsMax: Number.POSITIVE_INFINITY }),
      ...times(2, { tls: host, requestsMax: 20 }),
      ...times(1, { tls: host, requestsMax: 1 }),
    ])
    let serving: RunningProgram = first
    for (let time = 0; time < handovers; time++) {
      await visitors.moreAnswers(50)
      const next = box.start(['serve', '--replace'])
      await next.says('stderr', /"message":"Listening\."/)
      expect(await serving.ended()).toEqual({ status: 0, signal: null })
      serving = next
    }
    await visitors.moreAnswers(50)
    const { submissionIds, failedConnections, lost, refused } = await visitors.stop()
    await serving.stop()
    expect({ lost, refused }).toEqual({ lost: 0, refused: [] })
    // The kernel drops what waits where a listener closes, unless it may hand it to the one beside.
    if (migratesHandshakes()) expect(failedConnections).toEqual([])
    const stored = (await box.submissions()).map(({ submissionId }) => submissionId)
    expect(stored.toSorted()).toEqual(submissionIds.toSorted())
  },
  testMsMax,
)

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
