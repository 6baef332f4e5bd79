import { plural } from '../../lib/quantities.ts'
import type { RejudgedClicks } from '../../processing/processing.ts'
import { defineCommand } from '../command.ts'
import type { Style } from '../output/style.ts'
import { tableText } from '../output/table.ts'

export const clicksRejudge = defineCommand({
  name: 'clicks rejudge',
  summary: "Applies today's verdict rules to stored clicks",
  details: `For after an update of capture: new clicks are judged by the new rules anyway. The figures of a report follow; no click
is lost, and the verdict at its capture stays in the record. Run twice, the second run changes nothing.
--json prints { "account", "clicks", "changed": [{ "from", "to", "clicks" }] }.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { rejudgeClicks } = await import('../../operations/link/rejudge-clicks.ts')
    const { noticesTo } = await import('../record/record-notices.ts')
    const onNotice = noticesTo(session.err)
    const { account, ...judged } = await session.withBox((box) => rejudgeClicks(box, args.account, onNotice), {
      action: 'clicks.rejudge',
      account: args.account,
    })
    return { json: { account, ...judged }, text: ({ style }) => asText(account, judged, style) }
  },
})

function asText(account: string, { clicks, changed }: RejudgedClicks, style: Style): string {
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
