import type { BotCheckSettings } from '../account/account.ts'
import { type SecretSources, secretOf } from './secret.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenBotCheck } from './site-schema.ts'

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
