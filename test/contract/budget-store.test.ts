import { TokenBuckets } from '../../src/storage/memory/token-buckets.ts'
import { budgetStoreContract } from './budget-store.ts'

budgetStoreContract('budget store in memory', (clock) => new TokenBuckets(clock))
