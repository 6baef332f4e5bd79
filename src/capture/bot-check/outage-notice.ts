import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

const onceEveryMs = 60_000
/** Limits the accounts whose last notice is remembered. The oldest is forgotten first and may repeat early. */
const rememberedMax = 1000

const texts = {
  no_answer: 'The bot-check provider does not answer as it should: forms that require it refuse everybody.',
  secret_refused: 'The bot-check provider refuses the secret: correct [bot_check] in site.toml and run capture apply.',
  forbidden: 'Nothing may be sent to [bot_check] verify_url: correct it in site.toml and run capture apply on the box.',
  overloaded: 'Too many bot checks are running: some were refused without asking the provider.',
} as const

type Outage = keyof typeof texts

/** Logs an outage of an account's bot check, at most once a minute. */
export class OutageNotice {
  private readonly lastAtMs = new Map<string, number>()

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  give({ handle, provider }: { handle: string; provider: string }, outage: Outage): void {
    const nowMs = this.clock.monotonicMs()
    const about = `${handle} ${outage}`
    const lastAtMs = this.lastAtMs.get(about)
    if (lastAtMs !== undefined && nowMs - lastAtMs < onceEveryMs) return
    this.lastAtMs.delete(about)
    this.lastAtMs.set(about, nowMs)
    const [oldest] = this.lastAtMs.keys()
    if (this.lastAtMs.size > rememberedMax && oldest !== undefined) this.lastAtMs.delete(oldest)
    this.log.warn(texts[outage], { account: handle, provider })
  }
}
