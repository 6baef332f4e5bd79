import type { AccountSettings, BotCheckSettings } from '../account/account.ts'
import type { GoalSettings } from '../account/goal.ts'
import { camelKeys } from '../lib/camel-keys.ts'
import { type SecretSources, secretOf } from './secret.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenBotCheck, WrittenSite } from './site-schema.ts'

/** The account's settings from `site.toml`: its own keys as they are, without the lists that are stored apart. */
export function accountSettings(
  written: WrittenSite,
  { botCheck, goals }: { botCheck: BotCheckSettings; goals: GoalSettings },
): AccountSettings {
  const {
    account,
    forms,
    deliveries,
    pages,
    images,
    files,
    bot_check,
    payload_limit: payloadBytesMax,
    ...own
  } = written
  const { key, ...tracking } = written.tracking
  const { submissions: submissionsDays, events: eventsDays, refused: refusedDays } = written.retention
  return {
    ...camelKeys(own),
    payloadBytesMax,
    tracking: camelKeys(tracking),
    botCheck,
    retention: { submissionsDays, eventsDays, refusedDays },
    ...goals,
  }
}

/** The bot check with its secret. `requiredAnywhere`: the account or one of its forms requires it. */
export async function botCheckSettings(
  written: WrittenBotCheck,
  sources: SecretSources & { requiredAnywhere: boolean },
  report: FolderReport,
): Promise<BotCheckSettings> {
  const { provider, sitekey, required, verify_url: verifyUrl, difficulty } = written.value
  const secret = await secretOf('bot_check', written, sources, report)
  if (provider === 'altcha') {
    if (verifyUrl !== null) report.warn(written.place('verify_url'), 'is not used: altcha is verified on this box')
  } else if (sources.requiredAnywhere) {
    if (sitekey === '')
      report.key(written.place('sitekey'), `${provider} needs a sitekey where a bot check is required`)
    if (secret === '')
      report.key(
        written.place('secret'),
        `${provider} needs secret, secret_env or secret_file where a bot check is required`,
      )
  }
  return { provider, sitekey, secret: secret ?? '', required, verifyUrl, difficulty }
}
