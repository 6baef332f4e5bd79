import type { EntryKind, RequestSource } from '../ledger/entry.ts'
import { AgentSigns, BotAgents } from './bot-agent.ts'
import {
  type ClickCircumstances,
  type ClickEvidence,
  type ClickRules,
  type Judgement,
  judgeClick,
  clickRules as todaysRules,
} from './click-verdict.ts'

/** Judges what was recorded by the given rules, today's where none are given. */
export class Verdicts {
  private readonly bots = new BotAgents()
  private readonly agents = new AgentSigns()
  private readonly signOf = (userAgent: string) => this.agents.of(userAgent)

  constructor(readonly clickRules: ClickRules = todaysRules) {}

  /** Whether the entry comes from a program that identifies itself. */
  isBot({ kind, source }: { kind: EntryKind; source: Pick<RequestSource, 'userAgent'> }): boolean {
    return this.bots.isBot(kind, source.userAgent)
  }

  click(evidence: ClickEvidence, circumstances: ClickCircumstances): Judgement {
    return judgeClick(evidence, circumstances, this.clickRules, this.signOf)
  }
}
