import type { Budget, BudgetStore } from '../capture/budget-store.ts'
import { everyInterval, type PeriodicWork } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'

/** Budgets in a server that all nodes reach. `take` rejects once the server does not answer, until it is reached again. */
export interface ReachedBudgets extends BudgetStore {
  /** @throws when the server does not answer or refuses this node */
  reach(): Promise<void>
  close(): void
}

interface SharedBudgetsParts {
  /** `null`: there is no such server. */
  reached: ReachedBudgets | null
  /** Of this node alone. */
  own: BudgetStore
  /** How many nodes capture now, with this one. */
  nodes: () => number
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** How soon a server that fell silent is used again. */
const lookMs = 1000

/**
 * The budgets of a whole cluster. Without a server for them, or while it does not answer, each node grants its share, so
 * that all nodes together grant one budget; whoever meets one node alone then gets less.
 */
export class SharedBudgets implements BudgetStore {
  private isReached = false
  private isMissed = false

  constructor(private readonly parts: SharedBudgetsParts) {}

  async take(budgets: readonly Budget[]): Promise<number> {
    const { reached, own } = this.parts
    if (reached !== null && this.isReached) {
      try {
        return await reached.take(budgets)
      } catch (error) {
        this.isReached = false
        this.miss(error)
      }
    }
    return own.take(this.shares(budgets))
  }

  /** Reaches the server, again and again. */
  begin(): PeriodicWork {
    const { reached, log } = this.parts
    const first = this.look()
    const looking = everyInterval(lookMs, () => first.then(() => this.look()), log)
    return {
      async stop() {
        await looking.stop()
        reached?.close()
      },
    }
  }

  private shares(budgets: readonly Budget[]): readonly Budget[] {
    const nodes = this.parts.nodes()
    if (nodes <= 1) return budgets
    return budgets.map((budget) => ({ ...budget, tokensMax: Math.ceil(budget.tokensMax / nodes) }))
  }

  private async look(): Promise<void> {
    const { reached, log } = this.parts
    if (reached === null || this.isReached) return
    try {
      await reached.reach()
    } catch (error) {
      this.miss(error)
      return
    }
    this.isReached = true
    if (this.isMissed) log.info('The server of [cluster] budgets answers: budgets hold over all nodes again.')
    this.isMissed = false
  }

  private miss(error: unknown): void {
    if (this.isMissed) return
    this.isMissed = true
    const message = 'The server of [cluster] budgets does not answer: each node grants its share of each budget.'
    this.parts.log.warn(message, { error: error instanceof Error ? error.message : String(error) })
  }
}
