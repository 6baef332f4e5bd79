import { Resolver } from 'node:dns/promises'

/** What the DNS says of a name. */
export type Lookup = { addresses: string[] } | { unasked: string }

export interface LookupOptions {
  /** DNS servers as `address:port`; absent: those of the system. */
  servers?: string[]
  msMax: number
}

/** The server has answered, and there is no such record. */
const isThereNone = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA'

/** The IPv4 and IPv6 addresses of a name; `unasked`: no server gave an answer, with the code that says why. */
export async function lookUp(host: string, { servers, msMax }: LookupOptions): Promise<Lookup> {
  const resolver = new Resolver({ timeout: msMax, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  // The limit of the resolver holds for each of its servers.
  const limit = setTimeout(() => resolver.cancel(), msMax)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(limit)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []))
  const unasked = codes.find((code) => !isThereNone(code))
  return addresses.length > 0 || unasked === undefined ? { addresses } : { unasked }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown'
