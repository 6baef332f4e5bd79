import { expect, test } from 'bun:test'
import type { ApiCall } from '../../src/console/api/endpoint.ts'
import { once } from '../../src/console/api/idempotency.ts'
import { sqliteConsoleStores } from '../../src/storage/sqlite/console/console-stores.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'

const clock = { now: () => 1_700_000_000_000, monotonicMs: () => 0 }

/** A POST of a token with a key. */
const call = (): ApiCall =>
  ({
    caller: { kind: 'token', tokenId: 'a-token' },
    request: new Request('http://localhost/api/v1/accounts/apply', {
      method: 'POST',
      headers: { 'idempotency-key': 'a key' },
    }),
  }) as unknown as ApiCall

test('a call whose answer is too large to be kept is not carried out again', async () => {
  await using database = new TemporaryDatabase()
  const stores = { ...sqliteConsoleStores(database.connect()), clock }
  let runs = 0
  const run = async () => {
    runs++
    return Response.json({ text: 'x'.repeat(100_000) })
  }
  const first = await once({ call: call(), content: 'the folder' }, stores, run)
  expect((await first.text()).length).toBeGreaterThan(100_000)
  const again = once({ call: call(), content: 'the folder' }, stores, run)
  expect(await again.catch((error: { code: string }) => error.code)).toBe('done_before')
  const other = once({ call: call(), content: 'another folder' }, stores, run)
  expect(await other.catch((error: { code: string }) => error.code)).toBe('key_reused')
  expect(runs).toBe(1)
})
