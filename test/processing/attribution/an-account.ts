import { compileOriginAllowlist } from '../../../src/account/origin-allowlist.ts'
import type { ProcessedAccount } from '../../../src/processing/ledger-item.ts'

/** The account that the sample entries belong to. */
export const anAccount: ProcessedAccount = {
  id: 'account-a',
  timezone: 'UTC',
  domains: ['go.acme.example', 'news.acme.example'],
  origins: compileOriginAllowlist(['https://www.acme.example', 'https://*.shop.example']),
  destinations: [],
  goals: null,
}
