import type { Database } from 'bun:sqlite'
import type { AccountSettings } from '../../../account/account.ts'
import { sealOf } from '../seal/box-seal.ts'

/** The settings as they are stored: the bot check's secret is sealed. */
export function sealedSettings(raw: Database, accountId: string, settings: AccountSettings): AccountSettings {
  const { botCheck } = settings
  if (botCheck.secret === '') return settings
  return {
    ...settings,
    botCheck: { ...botCheck, secret: sealOf(raw).seal('botCheckSecret', accountId, botCheck.secret) },
  }
}

export function openedSettings(raw: Database, accountId: string, settings: AccountSettings): AccountSettings {
  const { botCheck } = settings
  if (botCheck.secret === '') return settings
  return {
    ...settings,
    botCheck: { ...botCheck, secret: sealOf(raw).open('botCheckSecret', accountId, botCheck.secret) },
  }
}
