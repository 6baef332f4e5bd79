import type { Config } from '../../config/config.ts'
import { judgeDeliveryUrl, type UrlJudgement } from '../../outbound/guard.ts'
import { systemGuard, systemLookup } from '../../outbound/system-guard.ts'
import { commandSettings } from './delivery-settings.ts'

/** Without the carriers, which take longer to load than most commands run. */
export const commandJudgement = (config: Config, url: string): Promise<UrlJudgement> =>
  judgeDeliveryUrl(url, systemGuard(commandSettings(config)), systemLookup)
