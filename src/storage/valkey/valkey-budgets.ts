import { RedisClient, type TLSOptions } from 'bun'
import type { Budget } from '../../capture/budget-store.ts'
import type { ReachedBudgets } from '../../cluster/shared-budgets.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import { sign } from '../../lib/sign.ts'

/** A server that is well answers within a millisecond. A visitor waits once for one that is not. */
const answerMsMax = 250
/** For a connection with TLS over a slow network. */
const connectMsMax = 2000

/**
 * Takes one token from each of KEYS, or from none, and returns the seconds to wait, as `TokenBuckets` would.
 *
 * ARGV: the time in milliseconds, or `server` for that of the server; then `tokensMax` and the window in milliseconds of
 * each key. A key holds when it was last taken from, and how long from then until it is full again. It outlives that by a
 * minute, should the server's clock step back.
 */
const script = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local wait = 0
local debts = {}
for i, key in ipairs(KEYS) do
  local max = tonumber(ARGV[i * 2])
  local tokenMs = ARGV[i * 2 + 1] / max
  local rounding = max * 2 ^ -46
  local at, debt = string.match(redis.call('GET', key) or '0 0', '(%S+) (%S+)')
  local used = math.max(0, debt - math.max(0, now - at)) / tokenMs
  local whole = math.floor(used + 0.5)
  if math.abs(used - whole) < rounding then used = whole end
  local missing = used + 1 - max
  if missing > 0 then
    wait = math.max(wait, 1, math.ceil((missing - rounding / 2) * tokenMs / 1000))
  end
  debts[i] = (used + 1) * tokenMs
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  local livesMs = string.format('%.0f', debts[i] + 60000)
  redis.call('SET', key, string.format('%.17g %.17g', now, debts[i]), 'PX', livesMs)
end
return 0
`
const scriptSha1 = Bun.SHA1.hash(script, 'hex')

interface ValkeyOptions {
  /** `redis://…`, or `rediss://…` for TLS that verifies the server. */
  url: string
  /** PEM of the authorities to trust; `null`: the usual ones. */
  ca: string | null
  /** Of the cluster. The server sees no addresses of visitors, and other clusters' budgets are others. */
  secret: Uint8Array
  /** Held by tests. `null`: the server's clock, which is the same for all nodes. */
  clock: Clock | null
  /** For tests on a busy machine, where a server that is well takes longer, too. */
  answerMsMax?: number
}

/**
 * Budgets in a Valkey or Redis server, the same for all nodes.
 *
 * After an error or a late answer the connection is left behind: Bun's client may never settle what it was asked over one
 * that broke.
 */
export class ValkeyBudgets implements ReachedBudgets {
  private client: RedisClient | null = null

  private readonly answerMsMax: number

  constructor(private readonly options: ValkeyOptions) {
    this.answerMsMax = options.answerMsMax ?? answerMsMax
  }

  async reach(): Promise<void> {
    this.close()
    const { url, ca } = this.options
    const tls: TLSOptions = { rejectUnauthorized: true, ...(ca === null ? {} : { ca }) }
    const client = new RedisClient(url, {
      connectionTimeout: Math.max(connectMsMax, this.answerMsMax),
      autoReconnect: false,
      enableOfflineQueue: false,
      ...(url.startsWith('rediss:') ? { tls } : {}),
    })
    try {
      const loaded = client.connect().then(() => client.send('SCRIPT', ['LOAD', script]))
      if ((await inTime(loaded, Math.max(connectMsMax, this.answerMsMax))) === 'late') throw new Error('no answer')
    } catch (error) {
      client.close()
      throw error
    }
    this.client = client
  }

  async take(budgets: readonly Budget[]): Promise<number> {
    if (budgets.length === 0) return 0
    const { client } = this
    if (client === null) throw new Error('not connected')
    try {
      const answer = await inTime(this.asked(client, budgets), this.answerMsMax)
      if (typeof answer === 'number') return answer
      throw new Error('no answer')
    } catch (error) {
      if (this.client === client) this.close()
      throw error
    }
  }

  close(): void {
    this.client?.close()
    this.client = null
  }

  private async asked(client: RedisClient, budgets: readonly Budget[]): Promise<unknown> {
    const { secret, clock } = this.options
    const args = [
      String(budgets.length),
      ...budgets.map(({ key }) => `capture:${sign(secret, `budget\n${key}`)}`),
      clock === null ? 'server' : String(Math.round(clock.monotonicMs())),
      ...budgets.flatMap(({ tokensMax, windowSeconds }) => [String(tokensMax), String(windowSeconds * 1000)]),
    ]
    try {
      return await client.send('EVALSHA', [scriptSha1, ...args])
    } catch (error) {
      if (!String(error).includes('NOSCRIPT')) throw error
      // Somebody has emptied the server's memory of scripts.
      return client.send('EVAL', [script, ...args])
    }
  }
}
