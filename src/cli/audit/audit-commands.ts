import { OperatorError } from '../../lib/operator-error.ts'
import { timestamp } from '../../lib/quantities.ts'
import { defineCommand, usageError } from '../command.ts'
import { typedLimit } from '../input/typed-values.ts'

const limitByDefault = 50
const limitMax = 1000

export const auditList = defineCommand({
  name: 'audit list',
  summary: 'Lists who did what on this box, and what the console refused',
  details: `Latest first. --json prints an array of lines as GET /api/v1/audit gives them.
  capture audit list --account acme --failed
  capture audit list --search session.begin`,
  options: {
    account: { value: 'ACCOUNT', summary: 'only lines of this account' },
    user: { value: 'EMAIL', summary: 'only what this user did' },
    failed: { summary: 'only what failed or was refused' },
    search: { value: 'TEXT', summary: 'only lines whose action, actor or object contains TEXT' },
    limit: { value: 'N', summary: `how many at most (default: ${limitByDefault}; ${limitMax} at most)` },
  },
  async run({ options }, session) {
    const limit = typedLimit(options.limit, limitMax, ' `capture audit export` prints all.') ?? limitByDefault
    const { accountNames } = await import('../../operations/account/account-names.ts')
    const { auditItem, auditQuery } = await import('../../console/api/audit.ts')
    const items = await session.withBox(async (box) => {
      const { audit } = await box.consoleStores()
      const { handleById } = accountNames(await box.accounts.list())
      const { account, user, failed, search: q } = options
      const query = await auditQuery({ limit, account, user, failed, q }, box)
      return (await audit.read(query)).map((line) => auditItem(line, handleById))
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

const linesAtOnce = 500

export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Prints the audit log, oldest line first, one JSON object a line',
  details: `Each line has its number (\`seq\`), its \`hash\` and that of the line before it (\`previous\`), so that
\`capture audit verify --file FILE\` can check a copy that is kept elsewhere.
  capture audit export > audit.jsonl
  capture audit export --after 4711 >> audit.jsonl`,
  options: { after: { value: 'SEQ', summary: 'only lines after this number' } },
  printsResult: false,
  async run({ options }, session) {
    const after = typedSeq(options.after)
    const { exportedLine } = await import('../../console/audit/audit-chain.ts')
    await session.withBox(async (box) => {
      const { audit } = await box.consoleStores()
      let before = await audit.anchor()
      if (after !== null && after > before.seq) {
        const [line] = await audit.linesAfter(after - 1, 1)
        if (line?.seq !== after)
          throw new OperatorError('The audit log has no line of this number: see `capture audit list`.')
        before = line
      }
      let lines = await audit.linesAfter(before.seq, linesAtOnce)
      while (lines.length > 0) {
        let text = ''
        for (const line of lines) {
          text += `${JSON.stringify(exportedLine(line, before.hash))}\n`
          before = line
        }
        await session.out.write(text)
        lines = await audit.linesAfter(before.seq, linesAtOnce)
      }
    })
    return 0
  },
})

function typedSeq(typed: string | undefined): number | null {
  if (typed === undefined) return null
  if (!/^\d{1,15}$/.test(typed)) throw usageError('--after takes the number of a line.')
  return Number(typed)
}
