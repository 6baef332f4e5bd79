import { newAccountKey } from '../acme/account-key.ts'
import type { Authority, AuthorityAccount } from '../acme/authority.ts'
import { AcmeProblem } from '../acme/problem.ts'
import type { CertificateStore, KeptAccount } from '../certificate-store.ts'

interface AccountParts {
  store: Pick<CertificateStore, 'account' | 'keepAccount'>
  authority: (directory: string) => Authority
  /** An e-mail address; `''`: none. */
  contact: string
  /** For directories that require one (RFC 8555 section 7.3.4). */
  externalBinding: { kid: string; hmac: string } | null
}

/** The box's accounts at authorities, one per directory, created for the first order. */
export class AuthorityAccounts {
  private readonly accounts = new Map<string, Promise<AuthorityAccount>>()

  constructor(private readonly parts: AccountParts) {}

  /** @throws AcmeProblem */
  at(directory: string, signal: AbortSignal): Promise<AuthorityAccount> {
    const accounts = this.accounts.get(directory)
    if (accounts !== undefined) return accounts
    // Concurrent orders share one account and one request.
    const opening = this.open(directory, signal).catch((error) => {
      this.accounts.delete(directory)
      throw error
    })
    this.accounts.set(directory, opening)
    return opening
  }

  /** Forgets a lost account, so that the next order requests a new one. */
  async lost(directory: string, { keyToo }: { keyToo: boolean }): Promise<void> {
    this.accounts.delete(directory)
    const kept = await this.parts.store.account(directory)
    if (kept === null) return
    const key = keyToo ? newAccountKey() : kept.key
    await this.parts.store.keepAccount(directory, { key, url: null })
  }

  private async open(directory: string, signal: AbortSignal): Promise<AuthorityAccount> {
    const { store, contact } = this.parts
    const kept = (await store.account(directory)) ?? (await this.newAccount(directory))
    const authority = this.parts.authority(directory)
    const account = await authority.account(
      { ...kept, contact, externalBinding: await this.binding(authority, signal) },
      signal,
    )
    if (account.url !== kept.url) await store.keepAccount(directory, { key: kept.key, url: account.url })
    return account
  }

  /** Stores the key before the request, so that an account's key is never lost. */
  private async newAccount(directory: string): Promise<KeptAccount> {
    const account = { key: newAccountKey(), url: null }
    await this.parts.store.keepAccount(directory, account)
    return account
  }

  private async binding(authority: Authority, signal: AbortSignal) {
    const { externalBinding } = this.parts
    if (externalBinding === null) return null
    const { externalBindingRequired } = await authority.offer(signal)
    return externalBindingRequired ? externalBinding : null
  }
}

/** Whether an order failed because the account is gone. `keyToo`: its key is refused as well. */
export function accountLoss(error: unknown): { keyToo: boolean } | null {
  if (!(error instanceof AcmeProblem)) return null
  if (error.kind === 'accountGone') return { keyToo: false }
  return error.kind === 'keyRefused' ? { keyToo: true } : null
}
