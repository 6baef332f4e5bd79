import type { DomainSuffixes } from '../../operations/domain/reserved-domains.ts'
import { defineCommand, usageError } from '../command.ts'

export const accountDomains = defineCommand({
  name: 'account domains',
  summary: "Shows or changes the suffixes under which an account's own users connect names",
  details: `Below such a suffix the account's users and tokens connect any free name; any other new name needs a TXT record, which
their plan prints (docs/domains.md). Commands on this box, owners and tokens of the box need neither.
Removing a suffix leaves connected names connected. --json prints { "account", "suffixes": [] }.`,
  args: { account: { summary: "the account's handle" } },
  options: {
    add: { value: 'SUFFIX', summary: 'allow this name and every name below it' },
    remove: { value: 'SUFFIX', summary: 'allow them no longer' },
  },
  async run({ args: { account }, options: { add, remove } }, session) {
    const { addDomainSuffix, domainSuffixes, removeDomainSuffix } = await import(
      '../../operations/domain/reserved-domains.ts'
    )
    if (add !== undefined && remove !== undefined) throw usageError('Give --add or --remove, one at a time.')
    const suffix = add ?? remove
    if (suffix === undefined) return shown(await session.withBox((box) => domainSuffixes(box, account)))
    const { answer } = await session.act(add === undefined ? removeDomainSuffix : addDomainSuffix, { account, suffix })
    return shown(answer)
  },
})

const shown = ({ account, suffixes }: DomainSuffixes) => ({
  json: { account, suffixes },
  text:
    suffixes.length === 0
      ? `${account} has no suffix: each new name that its own users or tokens connect needs a TXT record.`
      : suffixes,
})
