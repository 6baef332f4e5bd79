import { newAccountKey } from '../../../src/https/acme/account-key.ts'
import type { Authority, AuthorityAccount, ChallengeAnswers, OrderRequest } from '../../../src/https/acme/authority.ts'
import { type AuthorityParts, openAuthority } from '../../../src/https/acme/open-authority.ts'
import { type Pebble, type PebbleOptions, startPebble } from '../../harness/pebble.ts'

/** A certificate authority, hosts at its address that answer HTTP-01, and a client. */
export interface AcmeWorld extends AsyncDisposable {
  ca: Pebble
  authority: Authority
  /** Shows answers to HTTP-01 at the authority's address. */
  answers: ChallengeAnswers
  /** How many answers are shown. */
  shown(): number
  /** Paths that were asked for at the hosts. */
  asked: string[]
  /** A new account, with a new key. */
  account(): Promise<AuthorityAccount>
}

/** The hosts that `dns` names lead to the authority's address. */
export async function acmeWorld(options: PebbleOptions & { hosts?: string[] } = {}): Promise<AcmeWorld> {
  const ca = await startPebble(options)
  const tokens = new Map<string, string>()
  const asked: string[] = []
  const server = Bun.serve({
    hostname: ca.address,
    port: ca.httpPort,
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      const answer = tokens.get(pathname.replace('/.well-known/acme-challenge/', ''))
      return new Response(answer ?? 'nothing here', { status: answer === undefined ? 404 : 200 })
    },
  })
  for (const host of options.hosts ?? []) await ca.dns.setA(host, ca.address)
  const authority = clientOf(ca)
  return {
    ca,
    authority,
    asked,
    answers: {
      txtRecords: null,
      http01: async ({ token, keyAuthorization }) => {
        tokens.set(token, keyAuthorization)
        return { [Symbol.asyncDispose]: async () => void tokens.delete(token) }
      },
    },
    shown: () => tokens.size,
    account: () => newAccountAt(authority),
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      await ca[Symbol.asyncDispose]()
    },
  }
}

/** A busy machine's authority may take longer for a request than a real one. */
const requestMsMax = 200_000

/** A client that looks often, so that tests are done soon. */
export const clientOf = (ca: Pebble, parts: Partial<AuthorityParts> = {}): Authority =>
  openAuthority({
    directoryUrl: ca.directoryUrl,
    trusted: ca.ca,
    userAgent: 'capture/test',
    ...parts,
    limits: { requestMsMax, pollMsMin: 50, ...parts.limits },
  })

export const newAccountAt = (authority: Authority): Promise<AuthorityAccount> =>
  authority.account({ key: newAccountKey(), url: null, contact: '', externalBinding: null })

export const orderFor = (
  { answers }: Pick<AcmeWorld, 'answers'>,
  host: string,
  request: Partial<OrderRequest> = {},
): OrderRequest => ({ host, profile: '', replaces: null, answers, ...request })
