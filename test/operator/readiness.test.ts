import { expect, test } from 'bun:test'
import { Readiness } from '../../src/operator/operator-listener.ts'
import { eventually } from '../harness/eventually.ts'

/** A disk whose commits settle as the test says. */
function aDisk() {
  const commits: PromiseWithResolvers<void>[] = []
  const readiness = new Readiness(() => {
    const commit = Promise.withResolvers<void>()
    commits.push(commit)
    return commit.promise
  })
  return { commits, readiness }
}

test('many who ask at once wait for one commit', async () => {
  const { commits, readiness } = aDisk()
  const asked = [readiness.fault(), readiness.fault(), readiness.fault()]
  commits[0]?.resolve()
  expect(await Promise.all(asked)).toEqual([null, null, null])
  expect(await readiness.fault()).toBeNull()
  expect(commits).toHaveLength(1)
})

test('a fault is told at once while the next commit is awaited, and is over when that succeeds', async () => {
  const { commits, readiness } = aDisk()
  const first = readiness.fault()
  commits[0]?.reject(new Error('the disk is full'))
  expect(await first).toBe('Nothing can be stored: the disk is full.')
  await eventually('it asks again by itself', async () => commits.length === 2)
  expect(await readiness.fault()).toBe('Nothing can be stored: the disk is full.')
  commits[1]?.resolve()
  await commits[1]?.promise
  await eventually('it is ready', async () => (await readiness.fault()) === null)
})

test('a service that stops is not ready, and its disk is left alone', async () => {
  const { commits, readiness } = aDisk()
  readiness.stopping()
  expect(await readiness.fault()).toBe('The service is stopping.')
  expect(commits).toHaveLength(0)
})
