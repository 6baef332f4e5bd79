import { timestamp } from '../../lib/quantities.ts'
import type { AccountRefusals } from '../../operations/refusals/read-refusals.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import { type Style, styleFor } from '../output/style.ts'
import { tableText } from '../output/table.ts'
import { hung } from '../output/wrap.ts'

const sinceByDefault = '1d'

export const refusals = defineCommand({
  name: 'refusals',
  summary: 'Says why nothing arrives: refused requests by endpoint, check and origin, each with what to do',
  details: `Counted by the hour, written every second by a running server, and kept for 90 days; --since is widened to its hour,
and a date alone is that day in the account's time zone, as in a report.
--json prints { "account", "since", "refusals": [{ "endpoint", "check", "origin": "…"|null, "count", "advice" }],
"untrustedProxy": null | { "peer", "seenAt", "advice" } }; the origin "*" stands for those beyond fifty.`,
  args: { account: { summary: "the account's handle" } },
  options: { since: { value: 'T', summary: `from T on (default: ${sinceByDefault})` } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { inOptions, typedSince } = await import('./typed-period.ts')
    const since = typedSince(options.since ?? sinceByDefault, session.clock.now())
    const { withBox } = await import('../with-box.ts')
    const { readRefusals } = await import('../../operations/refusals/read-refusals.ts')
    const { refusalsJson } = await import('../../operations/refusals/refusals-json.ts')
    const { untrustedProxyFound } = await import('../../operations/refusals/untrusted-proxy.ts')
    const wanted = { account: args.account, since }
    const read = await withBox(session, (box) => readRefusals(box, wanted)).catch(inOptions)
    const { untrustedProxy } = read
    if (json) {
      await session.out.write(toJson(refusalsJson(read)))
      return 0
    }
    const { columns } = session.out
    const drawn = { style: styleFor(session.out, session.env), columns }
    const text = asText(read, drawn)
    const proxy = untrustedProxy && [untrustedProxyFound(untrustedProxy), hung('  ', untrustedProxy.advice, columns)]
    await session.out.write(text + printable(proxy ? `\n${proxy.map((part) => `${part}\n`).join('')}` : '', 'lines'))
    return 0
  },
})

function asText(
  { account, since, refusals }: AccountRefusals,
  { style, columns }: { style: Style; columns: number | undefined },
): string {
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

function originText(origin: string | null): string {
  if (origin === null) return '(none)'
  return origin === '*' ? '(others)' : origin
}
