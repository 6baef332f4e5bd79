import type { ListedDelivery } from '../../delivery/delivery-control.ts'
import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { typedLimit } from '../input/typed-values.ts'
import { writeJsonArray } from '../output/print-result.ts'
import type { Cell } from '../output/table.ts'
import { noticesTo } from '../record/record-notices.ts'

const limitByDefault = 50
const limitMax = 1_000_000

export const deliveryList = defineCommand({
  name: 'delivery list',
  summary: 'Lists what an account has sent, what waits, and what could not be sent and why',
  details: `Latest first. A submission has a delivery for each destination that gets it; each report
that fell due is a delivery of its own.
--json prints all of them unless --limit says otherwise: [{ "id", "destination", "kind", "submissionId": "…"|null,
"state": "waiting"|"delivered"|"failed", "paused", "attempts", "createdAt", "nextAt": "…"|null, "lastStatus", "lastError" }].
  capture delivery list acme --failed
  capture delivery show acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed`,
  args: { account: { summary: "the account's handle" } },
  options: {
    failed: { summary: 'only those that have failed for good' },
    limit: { value: 'N', summary: `how many at most (default: ${limitByDefault}, with --json all)` },
  },
  async run({ args, options, json }, session) {
    const limit = typedLimit(options.limit, limitMax) ?? (json ? null : limitByDefault)
    const { listDeliveries } = await import('../../operations/delivery/list-deliveries.ts')
    const { deliveryJson } = await import('../../operations/delivery/delivery-json.ts')
    const onNotice = noticesTo(session.err)
    const rows: ListedDelivery[] = []
    await session.withBox(async (box) => {
      const pages = listDeliveries(box, { account: args.account, failedOnly: options.failed, limit }, onNotice)
      if (json) await writeJsonArray(session.out, eachOf(pages, deliveryJson))
      else for await (const page of pages) rows.push(...page)
    })
    if (json) return 0
    const empty = options.failed ? 'No delivery has failed.' : 'Nothing was sent, and nothing waits.'
    return { text: { headers: deliveryHeaders, rows: rows.map(deliveryCells), empty, whole: ['Id'] } }
  },
})

async function* eachOf<T>(pages: AsyncIterable<T[]>, json: (row: T) => object): AsyncGenerator<object> {
  for await (const page of pages) for (const row of page) yield json(row)
}

const deliveryHeaders = ['Created', 'Id', 'Destination', 'State', 'Tries', 'Next', 'Last']

const deliveryCells = (row: ListedDelivery): Cell[] => [
  timestamp(row.createdAt),
  row.id,
  row.destination,
  stateCell(row),
  row.attempts,
  row.nextAt === null || row.paused ? null : timestamp(row.nextAt),
  row.lastError ?? (row.lastStatus === null ? null : String(row.lastStatus)),
]

function stateCell({ state, paused }: Pick<ListedDelivery, 'state' | 'paused'>): Cell {
  if (state === 'delivered') return { text: 'delivered', tone: 'good' }
  if (state === 'failed') return { text: 'failed', tone: 'bad' }
  return paused ? { text: 'paused', tone: 'doubtful' } : 'waiting'
}
