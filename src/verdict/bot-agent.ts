import { isbot, list } from 'isbot'
import type { EntryKind } from '../ledger/entry.ts'
import { RecentMap } from '../lib/recent-map.ts'
import scanners from './mail-scanners.json' with { type: 'json' }
import programs from './program-agents.json' with { type: 'json' }

/** Which agents are bots depends on the activity: loading pages or sending events. */
type Doing = 'loads' | 'sends'

/** The cache starts over beyond this many different agents. */
const rememberedAgentsMax = 10_000

/**
 * Recognises bots by their user agent. Caches its answers: a pattern of hundreds of names costs 3 µs, and every page view and
 * event needs one.
 *
 * Anything but a browser that loads a page is a bot. A customer's own app or server may also send events (the spec allows it),
 * under the name of its HTTP library: for events, only agents that call themselves a crawler or scanner are bots.
 */
export class BotAgents {
  private readonly known: Record<Doing, Map<string, boolean>> = { loads: new Map(), sends: new Map() }
  /** Built on first use, since it takes megabytes. */
  private pattern: RegExp | null = null

  /** `userAgent`: as recorded; `null` or empty, it was not sent, which browsers do not do. */
  isBot(kind: EntryKind, userAgent: string | null): boolean {
    const doing = kind === 'event' ? 'sends' : 'loads'
    if (userAgent === null || userAgent === '') return doing === 'loads'
    const known = this.known[doing]
    const answer = known.get(userAgent) ?? this.judged(doing, userAgent)
    if (known.size >= rememberedAgentsMax) known.clear()
    known.set(userAgent, answer)
    return answer
  }

  private judged(doing: Doing, userAgent: string): boolean {
    this.pattern ??= patternOf(signsOfBots)
    if (!this.pattern.test(userAgent)) return false
    return doing === 'loads' || signsOfBots.some((sign) => isSignOfBotsAlone(sign, userAgent))
  }
}

const signsOfBots: readonly string[] = [...list, ...scanners.agents.map((agent) => RegExp.escape(agent))]

const patternOf = (signs: readonly string[]): RegExp => new RegExp(signs.join('|'), 'i')

/** Whether the agent has the sign of a crawler; the name of an HTTP library says nothing about the sender of events. */
function isSignOfBotsAlone(sign: string, userAgent: string): boolean {
  const pattern = patternOf([sign])
  return pattern.test(userAgent) && !programs.agents.some((agent) => pattern.test(agent))
}

/** The sign in a click's user agent; `null`: it looks like a browser's. */
export type AgentSign = 'scanner' | 'bot_agent' | null

export function agentSign(userAgent: string): AgentSign {
  if (isScannerAgent(userAgent)) return 'scanner'
  return isbot(userAgent) ? 'bot_agent' : null
}

/** Agents remembered in each of two generations. */
const rememberedMax = 5000

/** `agentSign` with a cache: patterns of hundreds of names cost more than the rest of a verdict, and there are few browsers. */
export class AgentSigns {
  private readonly remembered = new RecentMap<AgentSign>(rememberedMax)

  of(userAgent: string): AgentSign {
    const known = this.remembered.get(userAgent)
    if (known !== undefined) return known
    const sign = agentSign(userAgent)
    this.remembered.set(userAgent, sign)
    return sign
  }
}

/** All agents of the list in one pass over the header. */
const scannerPattern = new RegExp(scanners.agents.map((agent) => RegExp.escape(agent)).join('|'), 'i')

/** Whether the agent is on the list of link scanners, mail gateways, previewers and HTTP libraries. */
const isScannerAgent = (userAgent: string): boolean => scannerPattern.test(userAgent)
