import { expect, test } from 'bun:test'
import type { ConsoleBox } from '../../src/console/console-box.ts'
import { startConsoleServer } from '../../src/console/console-server.ts'
import type { BuiltScripts } from '../../src/console/look/files.ts'
import { proxySecretHeader } from '../../src/console/proxy-socket.ts'
import { SharedChanges } from '../../src/console/shared-changes.ts'
import { eventually } from '../harness/eventually.ts'
import { aSocket } from '../listener/console/a-proxy.ts'

const nothing = { log: {} } as unknown as ConsoleBox
const built = {} as unknown as BuiltScripts

/** How a console of a cluster answers. @param isShared whether the cluster gets a change in time */
async function markOf(method: string, isShared: boolean): Promise<string | null> {
  const { socket, secret } = aSocket()
  const box = { ...nothing, changes: new SharedChanges(async () => isShared) }
  const server = startConsoleServer({ ...{ box, version: '1.2.3', origins: [] }, ...built }, { socket, secret })
  const answer = await fetch('http://localhost/api/v1/nothing', {
    ...{ method, unix: socket, headers: { [proxySecretHeader]: secret } },
  })
  await server.stop()
  return answer.headers.get('x-capture-cluster')
}

test('the answer to a change says when the cluster does not have it yet', async () => {
  expect(await markOf('POST', false)).toBe('behind')
  expect(await markOf('POST', true)).toBeNull()
  expect(await markOf('GET', false)).toBeNull()
})

test('pages say so until the cluster has every change', async () => {
  let isShared = false
  const changes = new SharedChanges(async () => isShared)
  expect(changes.areBehind()).toBe(false)
  await changes.share()
  expect(changes.areBehind()).toBe(true)
  isShared = true
  await eventually('they are shared', async () => !changes.areBehind())
})
