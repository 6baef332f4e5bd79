import type { KeptExchange, ShownDelivery } from '../../delivery/delivery-control.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import { shownDeliveryJson } from '../../operations/delivery/delivery-json.ts'
import { defineCommand } from '../command.ts'
import { type Labelled, labelledLines, printable } from '../output/text.ts'

export const deliveryShow = defineCommand({
  name: 'delivery show',
  summary: 'Shows one delivery with the HTTP or SMTP exchange of each try, as it happened',
  details: `Exchanges are kept for 30 days, without secrets; long bodies are cut. \`capture delivery list ACCOUNT\` shows the ids.
--json prints the row of \`delivery list\`, and "exchanges": [{ "number", "at", "status", "error", "exchange" }].`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the delivery's id" } },
  async run({ args }, session) {
    const { showDelivery } = await import('../../operations/delivery/show-delivery.ts')
    const shown = await session.withBox((box) => showDelivery(box, args))
    return { json: shownDeliveryJson(shown), text: ({ columns }) => asText(shown, columns) }
  },
})

function asText({ exchanges, ...row }: ShownDelivery, columns: number | undefined): string {
  const lines: Labelled[] = [
    ['delivery', row.id],
    ['destination', `${row.destination} (${row.kind})${row.paused ? ', paused' : ''}`],
    ...(row.submissionId === null ? [] : [['submission', row.submissionId] satisfies Labelled]),
    ['state', row.state],
    ['created', timestamp(row.createdAt)],
    ['tries', plural(row.attempts, 'try', 'tries')],
    ...(row.nextAt === null ? [] : [['next', timestamp(row.nextAt)] satisfies Labelled]),
    ...(row.lastError === null ? [] : [['last', row.lastError] satisfies Labelled]),
  ]
  const kept =
    exchanges.length === 0 ? ['No exchange is kept: none was made, or the last is more than 30 days old.\n'] : []
  return [labelledLines(lines, columns), ...kept, ...exchanges.map(exchangeText)].join('\n')
}

const exchangeText = ({ number, at, exchange }: KeptExchange): string =>
  `Try ${number}, ${timestamp(at)}\n${indented(exchange)}`

/** What a receiver answered cannot steer the terminal. */
export const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${printable(line)}\n`)
    .join('')
