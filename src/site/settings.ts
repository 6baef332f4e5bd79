import type { AccountSettings, BotCheckSettings } from '../account/account.ts'
import type { GoalSettings } from '../account/goal.ts'
import type { WrittenSite } from './site-schema.ts'

/** The account's settings from `site.toml`. */
export const accountSettings = (
  written: WrittenSite,
  { botCheck, goals }: { botCheck: BotCheckSettings; goals: GoalSettings },
): AccountSettings => ({
  name: written.name,
  domains: written.domains,
  origins: written.origins,
  robots: written.robots,
  home: written.home,
  contact: written.contact,
  brand: written.brand,
  payloadBytesMax: written.payload_limit,
  timezone: written.timezone,
  storeIp: written.store_ip,
  tracking: {
    enabled: written.tracking.enabled,
    autoPageview: written.tracking.auto_pageview,
    requireOptIn: written.tracking.require_opt_in,
    consentSignal: written.tracking.consent_signal,
  },
  botCheck,
  retention: {
    submissionsDays: written.retention.submissions,
    eventsDays: written.retention.events,
    refusedDays: written.retention.refused,
  },
  ...goals,
})
