import { isbot } from 'isbot'
import { RecentMap } from '../lib/recent-map.ts'
import scanners from './mail-scanners.json' with { type: 'json' }

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
