import { Resolver } from 'node:dns/promises'

/** The DNS answer for a name. `unasked`: no server answered, with the error code. */
export type Lookup = { addresses: string[] } | { unasked: string }

export interface LookupOptions {
  /** DNS servers as `address:port`; default: the system's. */
  servers?: string[]
  msMax: number
}

/** Whether the server answered that no such record exists. */
const isThereNone = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA'

/** Looks up the IPv4 and IPv6 addresses of a name. */
export async function lookUp(host: string, { servers, msMax }: LookupOptions): Promise<Lookup> {
  const resolver = new Resolver({ timeout: msMax, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  // The resolver's own limit applies to each server separately.
  const limit = setTimeout(() => resolver.cancel(), msMax)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(limit)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []))
  const unasked = codes.find((code) => !isThereNone(code))
  return addresses.length > 0 || unasked === undefined ? { addresses } : { unasked }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown'
