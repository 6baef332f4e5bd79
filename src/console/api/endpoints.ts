import { listAccounts } from './account/list-accounts.ts'
import type { ApiEndpoint } from './endpoint.ts'

/** Every endpoint of the API, in the order of its document. */
export const endpoints: readonly ApiEndpoint[] = [listAccounts]
