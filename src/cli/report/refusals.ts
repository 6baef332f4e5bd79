import { timestamp } from '../../lib/quantities.ts'
import type { AccountRefusals } from '../../operations/refusals/read-refusals.ts'
import { defineCommand } from '../command.ts'
import type { Layout } from '../output/style.ts'
import { tableText } from '../output/table.ts'
import { hung, printable } from '../output/text.ts'

const sinceByDefault = '1d'

export const refusals = defineCommand({
  name: 'refusals',
  summary: 'Says why nothing arrives: refused requests by endpoint, check and origin, each with what to do',
  details: `Counted by the hour, written every second by a running server, and kept for 90 days; --since is widened to its hour,
and a date alone is that day in the account's time zone, as in a report.
--json prints { "account", "since", "refusals": [{ "endpoint", "check", "origin": "…"|null, "count", "advice" }],
"missing": [{ "path", "count" }], "untrustedProxy": null | { "peer", "seenAt", "advice" } }; the origin "*" stands for those beyond fifty.`,
  args: { account: { summary: "the account's handle" } },
  options: { since: { value: 'T', summary: `from T on (default: ${sinceByDefault})` } },
  async run({ args, options }, session) {
    const { inOptions, typedSince } = await import('./typed-period.ts')
    const since = typedSince(options.since ?? sinceByDefault, session.clock.now())
    const { readRefusals } = await import('../../operations/refusals/read-refusals.ts')
    const { refusalsJson } = await import('../../operations/refusals/read-refusals.ts')
    const { untrustedProxyFound } = await import('../../operations/refusals/read-refusals.ts')
    const wanted = { account: args.account, since }
    const read = await session.withBox((box) => readRefusals(box, wanted)).catch(inOptions)
    const { untrustedProxy: proxy } = read
    const proxyText = ({ columns }: Layout): string =>
      proxy === null
        ? ''
        : printable(`\n${untrustedProxyFound(proxy)}\n${hung('  ', proxy.advice, columns)}\n`, 'lines')
    return {
      json: refusalsJson(read),
      text: (layout) => asText(read, layout) + missingText(read, layout) + proxyText(layout),
    }
  },
})

function asText({ account, since, refusals }: AccountRefusals, { style, columns }: Layout): string {
  const table = tableText(
    {
      headers: ['Endpoint', 'Check', 'Origin', 'Count'],
      rows: refusals.map(({ endpoint, check, origin, count }) => [endpoint, check, originText(origin), count]),
      empty: `Nothing of ${account} was refused since ${timestamp(since)}.`,
    },
    style,
    columns,
  )
  // One piece of advice per check, however many origins.
  const advice = new Map(refusals.map((refusal) => [`${refusal.check} ${refusal.advice}`, refusal]))
  const lines = [...advice.values()].map(({ check, advice }) => hung('  ', `${check}: ${advice}`, columns))
  return lines.length === 0 ? table : `${table}\n${printable(lines.join('\n'), 'lines')}\n`
}

const missingRowsMax = 10

/** Requests for addresses where nothing is: nobody refused them, but they explain visitors who did not arrive. */
function missingText({ missing }: AccountRefusals, { style, columns }: Layout): string {
  if (missing.length === 0) return ''
  const rows = missing.slice(0, missingRowsMax).map(({ path, count }) => [path, count])
  const table = tableText({ headers: ['Asked for where nothing is', 'Count'], rows, empty: '' }, style, columns)
  return `\n${table}${hung('  ', 'Lead them on with [[redirects]] in site.toml (docs/redirects.md).', columns)}\n`
}

function originText(origin: string | null): string {
  if (origin === null) return '(none)'
  return origin === '*' ? '(others)' : origin
}
