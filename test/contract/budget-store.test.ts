import { afterAll, beforeAll } from 'bun:test'
import { newSecret } from '../../src/lib/sign.ts'
import { TokenBuckets } from '../../src/storage/memory/token-buckets.ts'
import { ValkeyBudgets } from '../../src/storage/valkey/valkey-budgets.ts'
import { waitMsMax } from '../harness/eventually.ts'
import { startValkey, type Valkey } from '../harness/valkey.ts'
import { budgetStoreContract } from './budget-store.ts'

let valkey: Valkey
const opened: ValkeyBudgets[] = []
beforeAll(async () => {
  valkey = await startValkey()
})
afterAll(async () => {
  for (const store of opened) store.close()
  await valkey[Symbol.asyncDispose]()
})

budgetStoreContract('budget store in memory', { open: async (clock) => new TokenBuckets(clock) })

budgetStoreContract('budget store in Valkey', {
  async open(clock) {
    const store = new ValkeyBudgets({ url: valkey.url, ca: null, secret: newSecret(), clock, answerMsMax: waitMsMax })
    opened.push(store)
    await store.reach()
    return store
  },
  runsMax: 10,
})
