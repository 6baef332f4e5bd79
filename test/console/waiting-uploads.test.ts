import { describe, expect, test } from 'bun:test'
import { WaitingUploads } from '../../src/console/upload/waiting-uploads.ts'
import type { AppliedFolder } from '../../src/operations/apply/apply-folder.ts'

const applied = { account: 'acme' } as AppliedFolder
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

  test('is published once for all who ask for the same, and gives its folder back then', async () => {
    const { uploads, removed, hold } = waiting()
    const id = hold('first')
    const begun = Promise.withResolvers<AppliedFolder>()
    let runs = 0
    const work = () => {
      runs++
      return begun.promise
    }
    const first = uploads.publish(id, { of: owner, plan: 'a', work })
    const again = uploads.publish(id, { of: owner, plan: 'a', work })
    const other = uploads.publish(id, { of: owner, plan: 'b', work })
    begun.resolve(applied)
    expect(await Promise.all([first, again, other])).toEqual([
      { applied, isRepeat: false },
      { applied, isRepeat: true },
      'otherwise',
    ])
    const later = await uploads.publish(id, { of: owner, plan: 'a', work })
    expect({ later, runs, removed, isPublished: uploads.isPublished(id, owner) }).toEqual({
      later: { applied, isRepeat: true },
      runs: 1,
      removed: ['first'],
      isPublished: true,
    })
    uploads.clear()
  })

  test('can be published again after a publication that failed', async () => {
    const { uploads, removed, hold } = waiting()
    const id = hold('first')
    const publish = (work: () => Promise<AppliedFolder>) => uploads.publish(id, { of: owner, plan: 'a', work })
    await expect(publish(() => Promise.reject(new Error('faulty')))).rejects.toThrow('faulty')
    expect([[...removed], await publish(async () => applied)]).toEqual([[], { applied, isRepeat: false }])
    uploads.clear()
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
