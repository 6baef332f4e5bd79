import type { ReachedBudgets } from '../../cluster/shared-budgets.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { ValkeyBudgets } from '../../storage/valkey/valkey-budgets.ts'

/** `null`: there is no server for budgets. */
export const budgetsOf = ({ budgets: url, ca, secret }: ClusterConfig): ReachedBudgets | null =>
  url === null ? null : new ValkeyBudgets({ url, ca, secret: Buffer.from(secret, 'base64'), clock: null })
