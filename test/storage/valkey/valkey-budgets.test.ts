import { expect, test } from 'bun:test'
import { newSecret } from '../../../src/lib/sign.ts'
import { ValkeyBudgets } from '../../../src/storage/valkey/valkey-budgets.ts'
import { waitMsMax } from '../../harness/eventually.ts'
import { startTcpProxy } from '../../harness/tcp-proxy.ts'
import { makeTlsAuthority } from '../../harness/tls-authority.ts'
import { startValkey } from '../../harness/valkey.ts'

// What the contract of budget stores cannot show: a server that fails (test/contract/budget-store.test.ts has the rest).

const secret = newSecret()
const budget = { key: 'form contact1 203.0.113.9', tokensMax: 2, windowSeconds: 600 }
const budgetsAt = (url: string, given: { ca?: string; secret?: Uint8Array; answerMsMax?: number } = {}) =>
  new ValkeyBudgets({ ...{ url, ca: null, secret, clock: null, answerMsMax: waitMsMax }, ...given })

async function reached(...given: Parameters<typeof budgetsAt>): Promise<ValkeyBudgets> {
  const budgets = budgetsAt(...given)
  await budgets.reach()
  return budgets
}

test('two nodes take from one budget, which goes by the clock of the server', async () => {
  await using valkey = await startValkey()
  const [one, other] = [await reached(valkey.url), await reached(valkey.url)]
  expect(await one.take([budget])).toBe(0)
  expect(await other.take([budget])).toBe(0)
  const waitSeconds = await one.take([budget])
  expect(waitSeconds).toBeGreaterThan(200)
  expect(waitSeconds).toBeLessThanOrEqual(300)
})

test('a cluster with another secret has other budgets, and the server sees no address', async () => {
  await using valkey = await startValkey()
  const one = await reached(valkey.url)
  await one.take([{ ...budget, tokensMax: 1 }])
  expect(await (await reached(valkey.url, { secret: newSecret() })).take([{ ...budget, tokensMax: 1 }])).toBe(0)
  const keys = (await valkey.tell('KEYS', '*')) as string[]
  expect(keys).toHaveLength(2)
  for (const key of keys) expect(key).toMatch(/^capture:[\w-]{43}$/)
})

test('what the server holds of a budget goes some time after the budget is full again', async () => {
  await using valkey = await startValkey()
  await (await reached(valkey.url)).take([{ ...budget, tokensMax: 10 }])
  const [key = ''] = (await valkey.tell('KEYS', '*')) as string[]
  const livesMs = Number(await valkey.tell('PTTL', key))
  expect(livesMs).toBeGreaterThan(60_000)
  expect(livesMs).toBeLessThanOrEqual(120_000)
})

test('a server that forgot the script is told it again', async () => {
  await using valkey = await startValkey()
  const budgets = await reached(valkey.url)
  await valkey.tell('SCRIPT', 'FLUSH')
  expect(await budgets.take([budget])).toBe(0)
})

test('a server that stands still fails a take, each further one at once, and answers when it is reached again', async () => {
  await using valkey = await startValkey()
  const budgets = await reached(valkey.url, { answerMsMax: 2000 })
  {
    using _ = valkey.frozen()
    await expect(budgets.take([budget])).rejects.toThrow('no answer')
    await expect(budgets.take([budget])).rejects.toThrow('not connected')
    await expect(budgets.reach()).rejects.toThrow()
  }
  await budgets.reach()
  // Those that had no answer were taken all the same: nobody knows.
  expect(await budgets.take([{ ...budget, key: 'another' }])).toBe(0)
})

test('takes under way fail when the server ends', async () => {
  await using valkey = await startValkey()
  using proxy = startTcpProxy(valkey.port)
  const budgets = await reached(valkey.url.replace(String(valkey.port), String(proxy.port)))
  proxy.swallows = true
  const takes = Array.from({ length: 20 }, () =>
    budgets.take([budget]).then(
      () => 'taken',
      () => 'failed',
    ),
  )
  proxy.cut()
  expect(new Set(await Promise.all(takes))).toEqual(new Set(['failed']))
})

test('a wrong password and a closed port fail at once', async () => {
  await using valkey = await startValkey({ password: 'right' })
  await expect(budgetsAt(valkey.url.replace('right', 'wrong')).reach()).rejects.toThrow('Connection closed')
  expect(await (await reached(valkey.url)).take([budget])).toBe(0)
  await valkey.crash()
  await expect(budgetsAt(valkey.url).reach()).rejects.toThrow()
})

test('rediss connects to a server with a certificate of the given authority for its name, and to no other', async () => {
  const authority = makeTlsAuthority()
  await using valkey = await startValkey({ tls: authority.issue('DNS:localhost') })
  const named = valkey.url.replace('127.0.0.1', 'localhost')
  expect(await (await reached(named, { ca: authority.root })).take([budget])).toBe(0)
  await expect(budgetsAt(valkey.url, { ca: authority.root }).reach()).rejects.toThrow()
  await expect(budgetsAt(named, { ca: makeTlsAuthority().root }).reach()).rejects.toThrow()
  await expect(budgetsAt(named).reach()).rejects.toThrow()
})
