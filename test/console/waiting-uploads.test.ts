import { describe, expect, test } from 'bun:test'
import { WaitingUploads } from '../../src/console/upload/waiting-uploads.ts'

const owner = { userId: 'u', account: 'acme' }

const waiting = () => {
  const uploads = new WaitingUploads()
  const removed: string[] = []
  const hold = (dir: string) => uploads.hold({ ...owner, dir, secrets: {}, remove: () => void removed.push(dir) })
  return { uploads, removed, hold }
}

describe('an upload that waits', () => {
  test('keeps its folder while it is published, when newer ones push it out', async () => {
    const { uploads, removed, hold } = waiting()
    const id = hold('first')
    const during = await uploads.use(id, owner, async ({ dir }) => {
      for (const next of ['second', 'third', 'fourth']) hold(next)
      return { dir, removed: [...removed] }
    })
    expect(during).toEqual({ dir: 'first', removed: [] })
    expect(removed).toEqual(['first'])
    uploads.clear()
  })

  test('stays after a publication that failed', async () => {
    const { uploads, removed, hold } = waiting()
    const id = hold('first')
    await expect(uploads.use(id, owner, () => Promise.reject(new Error('faulty')))).rejects.toThrow('faulty')
    expect([removed, await uploads.use(id, owner, async ({ dir }) => dir)]).toEqual([[], 'first'])
    uploads.clear()
    expect(removed).toEqual(['first'])
  })

  test.each([
    ['another user', { userId: 'v', account: 'acme' }],
    ['another account', { userId: 'u', account: 'other' }],
  ])('is not there for %s', async (_, asking) => {
    const { uploads, hold } = waiting()
    expect(await uploads.use(hold('first'), asking, async ({ dir }) => dir)).toBeNull()
    uploads.clear()
  })
})
