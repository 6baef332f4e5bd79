import type { pathNames } from '../options.ts'
import type { RequestLine } from '../raw-request.ts'

/** What a request needs to know of the running account. */
export interface Visitor {
  /** `name=value` of an identity cookie that the server minted. */
  cookie: string
  /** Signs a click link and gives its path. */
  clickTarget(): Promise<string>
}

/** One of the paths that the bench measures. */
export interface BenchPath {
  name: (typeof pathNames)[number]
  title: string
  /** The answer of bench/bare-server.ts that it is compared with. */
  bare: 'echo' | 'page' | 'redirect'
  bareStatus: number
  status: number
  /** The same request's target at the native yardstick, which answers it with `status` too. */
  nativeTarget: string
  /** Least share of the bare server's requests per second. */
  ratioMin: number
  /** Records that each answered request must leave in the ledger. */
  records: number
  request(visitor: Visitor): RequestLine | Promise<RequestLine>
}

/** What a report says of a path: results are kept as JSON. */
export type NamedPath = Omit<BenchPath, 'request'>
