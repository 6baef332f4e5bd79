import { defineCommand } from '../command.ts'

export const domainList = defineCommand({
  name: 'domain list',
  summary: 'Shows every domain with its certificate, or the reason why it has none',
  details: `Without ACCOUNT the box's own names stand at the end. What is shown is what the service last saw; \`capture domain check\`
looks anew. States: active, it has a certificate; waiting, for its DNS or its turn; failing, the authority refused; off,
nothing is ordered for it.
--json prints [{ "host", "account": "…"|null, "use": "site"|"preview", "state", "reason", "observed": { "a": [],
"aaaa": [], "cname": "…"|null, "caa": [], "http": "ours"|"other"|"none"|"unknown" }, "certificate": { "issuer",
"notBefore", "notAfter", "renewAt": "…"|null, "serial" }|null, "nextTryAt": "…"|null, "persistRecord": { "name",
"value" } where a TXT record may stand in for port 80 }].`,
  args: { account: { summary: 'the handle of one account', optional: true } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { runDomainList } = await import('./list-run.ts')
    return runDomainList({ account: args.account, json }, session)
  },
})
