import { describe, expect, test } from 'bun:test'
import { askThread } from '../../../src/cli/threads/one-answer.ts'
import { OperatorError } from '../../../src/lib/operator-error.ts'

const asked = (how: string): Promise<unknown> =>
  askThread(new URL('./plain-answerer.ts', import.meta.url), how, { purpose: 'answers' }).catch((error) => error)

describe('a thread that is asked once', () => {
  test('answers', async () => {
    expect(await asked('echo')).toBe('echo')
  })

  test('refuses in words for the operator', async () => {
    const refused = await asked('refuse')
    expect(refused).toBeInstanceOf(OperatorError)
    expect((refused as Error).message).toBe('The disk is full.')
  })

  test('says what went wrong inside the answer, and where', async () => {
    const failed = (await asked('fail')) as Error
    expect(failed).not.toBeInstanceOf(OperatorError)
    expect(failed.message).toBe('SQLITE_BUSY')
    expect(failed.stack).toContain('plain-answerer.ts')
  })

  test('that dies of a fault beside the answer says where, and quotes nothing', async () => {
    const { message } = (await asked('stray')) as Error
    expect(message).toMatch(/^the thread that answers has ended: a fault in plain-answerer\.ts:\d+$/)
  })

  test('is waited for no longer once its work is given up', async () => {
    const giving = new AbortController()
    const file = new URL('./plain-answerer.ts', import.meta.url)
    const asking = askThread(file, 'never', { purpose: 'answers', signal: giving.signal })
    giving.abort(new Error('given up'))
    await expect(asking).rejects.toThrow('given up')
  })

  test('that ends without an answer says so', async () => {
    expect(((await asked('end')) as Error).message).toStartWith('the thread that answers has ended')
  })
})
