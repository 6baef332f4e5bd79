import { domainReleased } from '../../console/audit/changes.ts'
import { defineCommand } from '../command.ts'

export const domainRelease = defineCommand({
  name: 'domain release',
  summary: 'Frees a name that is reserved for the account that had it',
  details: `Afterwards any account may connect it, like every other name.
--json prints { "host", "account", "droppedAt", "reservedUntil" }, as it was reserved.`,
  args: { host: { summary: 'a reserved name' } },
  async run({ args: { host } }, session) {
    const { releaseDomain, reservedDomainJson } = await import('../../operations/domain/reserved-domains.ts')
    const released = await session.withBox((box) => releaseDomain(box, host), {
      action: 'domain.release',
      subject: host,
      change: domainReleased,
    })
    return {
      json: reservedDomainJson(released),
      text: `${released.host} is free; it was reserved for "${released.handle}".`,
    }
  },
})
