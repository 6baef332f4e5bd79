import { timestamp } from '../../lib/quantities.ts'
import type { DomainChecked } from '../../operations/domain/list-domains.ts'
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

export const domainCheck = defineCommand({
  name: 'domain check',
  summary: 'Checks DNS, CAA records and port 80 of a domain now, and says what to do',
  details: `It waits for the DNS and for port 80 for 15 seconds at most. --now has a running service try again at once; the
authority is asked once every obstacle is gone.
It ends with 1 if the records are wrong, whatever the mode of [https], and for a name that is not connected to this box.
--json prints one object as \`capture domain list\` has it, and "fault": "…"|null, what is wrong and how to mend it.`,
  args: { host: { summary: 'a connected domain, or the preview host' } },
  options: { now: { summary: 'make the next attempt due now' } },
  async run({ args: { host }, options: { now } }, session) {
    const { checkNameOfBox } = await import('../../operations/domain/list-domains.ts')
    const { domainText, persistText } = await import('./domain-text.ts')
    const { answer, checked, isServed } = await session.withBox(async (box) => ({
      ...(await checkNameOfBox.run(box, { host, now }, null)),
      isServed: box.isServed(),
    }))
    const { status, persistRecord } = checked
    return {
      json: answer,
      text: (layout) =>
        domainText(status, answer.fault, layout) + persistText(persistRecord === null ? [] : [persistRecord]),
      notes: now ? nowNotes(checked, isServed).map((note) => `Note: ${note}`) : [],
      exitStatus: answer.fault === null ? 0 : 1,
    }
  },
})

/** What `--now` has done, where a glance at the status does not tell. */
function nowNotes({ status, isMoved }: DomainChecked, isServed: boolean): string[] {
  if (!isMoved) return [unmovedText[status.state]]
  return isServed ? [] : ['the next attempt is due as soon as a service runs.']
}

/** Why `--now` has moved nothing. */
const unmovedText: Record<DomainChecked['status']['state'], string> = {
  active: 'the name has its certificate, so no attempt is waiting.',
  off: 'nothing is ordered for the name.',
  waiting: 'no attempt is waiting that could be moved forward.',
  failing: 'no attempt is waiting that could be moved forward.',
}

export const domainReserved = defineCommand({
  name: 'domain reserved',
  summary: 'Lists the names that are reserved for accounts that had them',
  details: `For 30 days, users and tokens of other accounts cannot connect such a name; \`capture apply\` on this box can.
--json prints [{ "host", "account", "droppedAt", "reservedUntil" }].`,
  async run(_, session) {
    const { reservedDomainJson, reservedDomains } = await import('../../operations/domain/reserved-domains.ts')
    const reserved = (await session.withBox((box) => reservedDomains(box))).map(reservedDomainJson)
    const rows = reserved.map(({ host, account, droppedAt, reservedUntil }) => [
      host,
      account,
      timestamp(Date.parse(droppedAt)),
      timestamp(Date.parse(reservedUntil)),
    ])
    const headers = ['Host', 'Account', 'Dropped', 'Reserved until']
    return { json: reserved, text: { headers, rows, empty: 'No name is reserved.' } }
  },
})

export const domainRelease = defineCommand({
  name: 'domain release',
  summary: 'Frees a name that is reserved for the account that had it',
  details: `Afterwards any account may connect the name.
--json prints { "host", "account", "droppedAt", "reservedUntil" }, as it was reserved.`,
  args: { host: { summary: 'a reserved name' } },
  async run({ args: { host } }, session) {
    const { releaseDomain } = await import('../../operations/domain/reserved-domains.ts')
    const { answer } = await session.act(releaseDomain, { host })
    return { json: answer, text: `${answer.host} is free; it was reserved for "${answer.account}".` }
  },
})
