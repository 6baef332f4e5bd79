import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

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
