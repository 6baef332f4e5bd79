import { plural } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { rejudgeClicks } from '../../operations/link/rejudge-clicks.ts'
import { defineCommand } from '../command.ts'
import type { Style } from '../output/style.ts'
import { tableText } from '../output/table.ts'

export const clicksRejudge = defineCommand({
  name: 'clicks rejudge',
  summary: "Applies today's verdict rules to stored clicks",
  details: `Run it after an upgrade; new clicks are judged by the new rules anyway. Reports follow. No click is lost, and each
record keeps the verdict at its capture. A second run changes nothing.
--json prints { "account", "clicks", "changed": [{ "from", "to", "clicks" }] }.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { rejudgeClicks } = await import('../../operations/link/rejudge-clicks.ts')
    const { answer } = await session.act(rejudgeClicks, args)
    return { json: answer, text: ({ style }) => asText(answer, style) }
  },
})

function asText({ account, clicks, changed }: AnswerOf<typeof rejudgeClicks>, style: Style): string {
  const judged = `Judged ${plural(clicks, 'click')} of ${account} by today's rules.\n`
  const table = tableText(
    {
      headers: ['Verdict', 'Today', 'Clicks'],
      rows: changed.map(({ from, to, clicks }) => [from, to, clicks]),
      empty: 'No verdict changed.',
    },
    style,
  )
  return `${judged}${table}`
}
