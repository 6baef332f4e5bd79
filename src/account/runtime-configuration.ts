import type { LiveAccount } from './live-account.ts'

export const formIdsMax = 10
const unregisteredJson = '{"registered":false}'

/**
 * The runtime configuration as JSON: exactly the spec's fields, and never the tracking key, the bot-check secret or
 * the origin allowlist (spec, Runtime configuration).
 */
export function runtimeConfigurationJson(account: LiveAccount, formIds: string[], originAuthorised: boolean): string {
  const { tracking, botCheck } = account.settings
  const forms = formIds.map((id) => `${JSON.stringify(id)}:${account.forms.get(id)?.publicJson ?? unregisteredJson}`)
  const head = JSON.stringify({
    v: 1,
    originAuthorised,
    consent: { signalSource: tracking.consentSignal, blockBeforeOptIn: tracking.requireOptIn },
    tracking: { enabled: tracking.enabled, autoPageview: tracking.autoPageview },
    botCheck: { provider: botCheck.provider, sitekey: botCheck.sitekey },
  })
  return `${head.slice(0, -1)},"forms":{${forms.join(',')}}}`
}
