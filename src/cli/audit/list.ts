import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { typedLimit } from '../input/typed-limit.ts'

const limitByDefault = 50
const limitMax = 1000

export const auditList = defineCommand({
  name: 'audit list',
  summary: 'Lists who did what on this box, and what the console refused',
  details: `Latest first. --json prints an array of lines as GET /api/v1/audit gives them.
  capture audit list --search session.begin`,
  options: {
    search: { value: 'TEXT', summary: 'only lines whose action, actor or object contains TEXT' },
    limit: { value: 'N', summary: `how many at most (default: ${limitByDefault}; ${limitMax} at most)` },
  },
  async run({ options }, session) {
    const limit = typedLimit(options.limit, limitMax, ' `capture audit export` prints all.') ?? limitByDefault
    const { handlesById } = await import('../../console/account-names.ts')
    const { auditItem } = await import('../../console/audit/audit-item.ts')
    const items = await session.withBox(async (box) => {
      const { audit } = await box.consoleStores()
      const handleOf = await handlesById(box.accounts)
      return (await audit.read({ limit, text: options.search })).map((line) => auditItem(line, handleOf))
    })
    const rows = items.map(({ at, actor, action, outcome, account, subject, address, after }) => [
      timestamp(Date.parse(at)),
      actor.label || actor.kind,
      outcome === 'done' ? action : `${action} (${outcome})`,
      account ?? '',
      subject || (typeof after?.kind === 'string' ? after.kind : ''),
      address || 'this machine',
    ])
    const headers = ['When', 'Who', 'What', 'Account', 'To what', 'From']
    return { json: items, text: { headers, rows, empty: 'Nothing found.' } }
  },
})
