import type { AccountSettings } from '../account/account.ts'
import { decodeToml } from '../lib/toml/decode.ts'
import { accountSettings, folderGoals } from './settings.ts'
import { FolderReport } from './site-faults.ts'
import { siteSchema, type WrittenSite } from './site-schema.ts'

interface RescuedAccount {
  handle: string
  /** Those that it has connected. */
  domains: string[]
  /** The `site.toml` of its kept folder; `null`: that is gone too. */
  siteToml: string | null
}

/** What nobody has chosen: nothing more is known of visitors than they send, and nothing of that is deleted. */
const plain = `account = "plain"
name = "Plain"
domains = ["plain.invalid"]
store_ip = "none"
[tracking]
enabled = false
[retention]
refused = "100y"
`

/**
 * Settings of an account whose own are lost, by the `site.toml` that the box keeps. They lack secrets, splits and redirects, which
 * need the whole folder.
 */
export function rescuedSettings({ handle, domains, siteToml }: RescuedAccount): {
  settings: AccountSettings
  /** Whether they are those of the kept folder. */
  isKept: boolean
} {
  const kept = siteToml === null ? null : writtenSite(siteToml)
  const written = kept ?? writtenSite(plain)
  if (written === null) throw new Error('the plain settings are faulty')
  const { provider, sitekey, required, verify_url: verifyUrl, difficulty } = written.bot_check.value
  const botCheck = { provider, sitekey, secret: '', required, verifyUrl, difficulty }
  const goals = folderGoals(written, new FolderReport())
  const settings = { ...accountSettings(written, { botCheck, goals, splits: [], redirects: [] }), domains }
  return { settings: kept === null ? { ...settings, name: handle } : settings, isKept: kept !== null }
}

/** The handle in the `site.toml`; `null`: it cannot be read. */
export const rescuedHandle = (siteToml: string): string | null => writtenSite(siteToml)?.account ?? null

const writtenSite = (siteToml: string): WrittenSite | null => decodeToml(siteToml, siteSchema).value
