import type { KeptExchange, ListedDelivery, ShownDelivery } from '../../delivery/delivery-control.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { backfillDestination } from '../../operations/delivery/backfill.ts'
import type { retryDeliveries } from '../../operations/delivery/deliveries.ts'
import type { DestinationWanted, testDestination } from '../../operations/delivery/destinations.ts'
import { type Command, defineCommand, usageError } from '../command.ts'
import { typedInstant, typedLimit } from '../input/typed-values.ts'
import { writeJsonArray } from '../output/print-result.ts'
import type { Cell } from '../output/table.ts'
import { type Labelled, labelledLines, printable } from '../output/text.ts'
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
    const { listDeliveries } = await import('../../operations/delivery/deliveries.ts')
    const { deliveryJson } = await import('../../operations/delivery/deliveries.ts')
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

export const deliveryShow = defineCommand({
  name: 'delivery show',
  summary: 'Shows one delivery with the HTTP or SMTP exchange of each try, as it happened',
  details: `Exchanges are kept for 30 days, without secrets; long bodies are cut. \`capture delivery list ACCOUNT\` shows the ids.
--json prints the row of \`delivery list\`, and "exchanges": [{ "number", "at", "status", "error", "exchange" }].`,
  args: { account: { summary: "the account's handle" }, id: { summary: "the delivery's id" } },
  async run({ args }, session) {
    const { showDelivery, shownDeliveryJson } = await import('../../operations/delivery/deliveries.ts')
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
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${printable(line)}\n`)
    .join('')

export const deliveryRetry = defineCommand({
  name: 'delivery retry',
  summary: 'Tries deliveries again now: one, those of a destination, those that have failed, or all',
  details: `Waiting deliveries become due at once, failed ones wait again, and both get a whole schedule of tries. With an ID,
a delivered one is sent again; its receiver sees the same webhook-id. The running \`serve\` sends it.
--json prints { "account", "retried", "paused": ["…"] }.
  capture delivery retry acme --failed`,
  args: {
    account: { summary: "the account's handle" },
    id: { summary: "the delivery's id (default: all that wait or have failed)", optional: true },
  },
  options: {
    destination: { value: 'NAME', summary: 'only those of this destination' },
    failed: { summary: 'only those that have failed' },
  },
  async run({ args, options }, session) {
    const { account, id: delivery } = args
    const { destination, failed } = options
    if ([delivery !== undefined, destination !== undefined, failed].filter(Boolean).length > 1)
      throw usageError('ID, --destination and --failed exclude each other: give one of them.')
    const { retryDeliveries } = await import('../../operations/delivery/deliveries.ts')
    const { answer, isServed } = await session.act(retryDeliveries, {
      account,
      failed,
      ...(delivery !== undefined && { delivery }),
      ...(destination !== undefined && { destination }),
    })
    return { json: answer, text: sentences(answer, isServed) }
  },
})

function sentences({ account, retried, paused }: AnswerOf<typeof retryDeliveries>, isServed: boolean): string[] {
  const due = retried === 1 ? 'is due now' : 'are due now'
  const lines = [
    retried === 0
      ? `${account}: nothing to try again.`
      : `${account}: ${plural(retried, 'delivery', 'deliveries')} ${due}.`,
  ]
  for (const name of paused) lines.push(pausedSentence(account, name))
  if (retried > 0 && !isServed) lines.push(unservedSentence)
  return lines
}

export const deliveryBackfill = defineCommand({
  name: 'delivery backfill',
  summary: 'Sends a destination what came before it, each submission once',
  details: `Takes every submission since T that the destination would get today, with its \`forms\` and \`when\`, and that it was never
sent. Each is marked: "backfilled": true in a webhook, a line in mails and chats. By mail, at most 100 share one, and one follows
every five minutes. Interrupted, run it again: nothing is sent twice. T is an ISO 8601 time or an age.
--json prints { "account", "destination", "since", "submissions", "paused" }, with --dry-run { "submissions" }.
  capture delivery backfill acme crm --since 90d --dry-run`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  options: {
    since: { value: 'T', summary: 'from when on (required)' },
    dryRun: { summary: 'only count them' },
  },
  async run({ args: { account, name: destination }, options }, session) {
    const { since } = options
    if (since === undefined) throw usageError('--since is missing: from when on submissions are sent, such as 90d.')
    typedInstant('--since', since, session.clock.now())
    const { backfillDestination, countBackfill } = await import('../../operations/delivery/backfill.ts')
    const wanted = { account, destination, since }
    if (options.dryRun) {
      const submissions = await session.withBox((box) => countBackfill(box, wanted))
      return { json: { submissions }, text: `${plural(submissions, 'submission')} would be sent to "${destination}".` }
    }
    const { answer, isServed } = await session.act(backfillDestination, wanted)
    return { json: answer, text: backfillSentences(answer, isServed) }
  },
})

function backfillSentences(
  { account, destination, submissions, paused }: AnswerOf<typeof backfillDestination>,
  isServed: boolean,
): string[] {
  if (submissions === 0) return [`${account}: "${destination}" has had everything since then.`]
  const lines = [`${account}: ${plural(submissions, 'submission')} will be sent to "${destination}".`]
  if (paused) lines.push(pausedSentence(account, destination))
  if (!isServed) lines.push(unservedSentence)
  return lines
}

const pausedSentence = (account: string, name: string): string =>
  `"${name}" is paused: \`capture delivery resume ${account} ${name}\` sends what waits.`

const unservedSentence = 'No `capture serve` runs on this data folder: it sends them once it does.'

export const deliveryPause = switching(true, {
  name: 'delivery pause',
  summary: 'Stops sending to a destination; new deliveries wait',
  details: 'Tries that are under way end. --json prints { "account", "destination", "paused" }.',
  text: ({ account, destination }) =>
    `Paused "${destination}": new deliveries wait until \`capture delivery resume ${account} ${destination}\`.`,
})

export const deliveryResume = switching(false, {
  name: 'delivery resume',
  summary: 'Sends to a paused destination again, including what has waited',
  details: `If it was paused because it answered 410 or failed for days, repair the receiver first.
--json prints { "account", "destination", "paused" }.`,
  text: ({ destination }) => `Resumed "${destination}": a running \`capture serve\` sends what waits.`,
})

interface Described extends Pick<Command, 'name' | 'summary' | 'details'> {
  text: (destination: DestinationWanted) => string
}

function switching(paused: boolean, { text, ...described }: Described): Command {
  return defineCommand({
    ...described,
    args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
    async run({ args: { account, name: destination } }, session) {
      const { pauseDestination, resumeDestination } = await import('../../operations/delivery/destinations.ts')
      const wanted = { account, destination }
      const { answer } = await session.act(paused ? pauseDestination : resumeDestination, wanted)
      return { json: answer, text: text(wanted) }
    },
  })
}

export const deliveryTest = defineCommand({
  name: 'delivery test',
  summary: 'Sends a marked example to a destination now, and prints the HTTP or SMTP exchange',
  details: `The example says that it is one, and its record has "test": true. It is sent once, to a paused destination too, and is
not kept. The exit status is 1 if the receiver did not accept it.
--json prints { "account", "destination", "kind", "delivered", "status", "error", "exchange" }.`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  async run({ args }, session) {
    const { testDestination } = await import('../../operations/delivery/destinations.ts')
    const { answer } = await session.act(testDestination, { account: args.account, destination: args.name })
    return { json: answer, text: () => testText(answer), exitStatus: answer.delivered ? 0 : 1 }
  },
})

function testText({ destination, delivered, error, exchange }: AnswerOf<typeof testDestination>): string {
  const verdict = delivered ? `"${destination}" accepted the example.` : (error ?? `"${destination}" did not take it.`)
  return `${exchange === '' ? '' : `${indented(exchange)}\n`}${printable(verdict)}\n`
}

export const deliverySecretRotate = defineCommand({
  name: 'delivery secret rotate',
  summary: 'Makes a new secret for a webhook and prints it, once',
  details: `For 7 days each delivery bears a signature of the new secret and one of the old, so that the receiver can change over.
Applying the site folder does not undo this while it names the same secret as before, or none.
--json prints { "account", "destination", "secret", "oldSignsUntil" }.`,
  args: { account: { summary: "the account's handle" }, name: { summary: "the destination's name" } },
  async run({ args }, session) {
    const { rotateDeliverySecret } = await import('../../operations/delivery/destinations.ts')
    const { answer } = await session.act(rotateDeliverySecret, { account: args.account, destination: args.name })
    const { destination, secret, oldSignsUntil } = answer
    return {
      json: answer,
      text: [
        `Secret of the delivery "${destination}" (shown once; the receiver needs it to verify signatures): ${secret}`,
        `The old secret also signs until ${timestamp(Date.parse(oldSignsUntil))}.`,
      ],
    }
  },
})
