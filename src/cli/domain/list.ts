import { defineCommand } from '../command.ts'

export const domainList = defineCommand({
  name: 'domain list',
  summary: 'Shows every domain with its certificate, or the reason why it has none',
  details: `Without ACCOUNT, the box's own names come last. Shows what the service last saw; \`capture domain check\` looks
now. States: active, it has a certificate; waiting, for its DNS or its turn; failing, the authority refused; off,
nothing is ordered for it.
--json prints [{ "host", "account": "…"|null, "use": "site"|"preview", "state", "reason", "observed": { "a": [],
"aaaa": [], "cname": "…"|null, "caa": [], "http": "ours"|"other"|"none"|"unknown" }, "certificate": { "issuer",
"notBefore", "notAfter", "renewAt": "…"|null, "serial" }|null, "nextTryAt": "…"|null, "persistRecord": { "name",
"value" } where a TXT record may stand in for port 80 }].`,
  args: { account: { summary: 'the handle of one account', optional: true } },
  async run({ args }, session) {
    const { domainJson } = await import('../../operations/domain/domain-statuses.ts')
    const { listDomains } = await import('../../operations/domain/list-domains.ts')
    const { domainsText, persistText } = await import('./domain-text.ts')
    const { staleness } = await import('./domain-text.ts')
    const { list, stale } = await session.withBox(async (box) => {
      const list = await listDomains(box, { account: args.account ?? null, asksAuthority: true })
      const circumstances = { isRunning: box.isServed(), now: session.clock.now() }
      // In mode `auto` the names are shown as the service last saw them.
      return { list, stale: box.config.https.mode === 'auto' ? staleness(list.domains, circumstances) : null }
    })
    const { domains, persistRecords } = list
    return {
      json: domains.map((domain) => domainJson(domain, persistRecords.get(domain.host) ?? null)),
      text: (layout) => domainsText(domains, layout) + persistText([...persistRecords.values()]),
      notes: stale === null ? [] : [`Note: ${stale}`],
    }
  },
})
