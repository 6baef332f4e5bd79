import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Box } from '../../operations/box.ts'

/** What operations deliver with. Loaded when it is asked for. */
export const deliveryPorts = (config: Config, clock: Clock): Pick<Box, 'carriers' | 'judgeUrl'> => ({
  async carriers() {
    const { commandCarriers } = await import('./command-carriers.ts')
    return commandCarriers(config, clock)
  },
  async judgeUrl(url) {
    const { commandJudgement } = await import('./command-judgement.ts')
    return commandJudgement(config, url)
  },
})
