import type { AccountSettings } from '../../account/account.ts'
import type { RefusalTotal } from '../../capture/refusal-log.ts'
import { timestamp } from '../../lib/quantities.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { refusalAdvice } from '../../operations/refusals/refusal-advice.ts'
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
    const now = session.clock.now()
    const { sinceInstant, typedSince } = await import('./typed-period.ts')
    const typed = typedSince(options.since ?? sinceByDefault, now)
    const { withBox } = await import('../with-box.ts')
    const { untrustedProxyAdvice, untrustedProxyFound, untrustedProxyNote } = await import('../untrusted-proxy.ts')
    const { account, since, totals, note, config } = await withBox(session, async (box, config) => {
      const account = await accountNamed(box.accounts, args.account)
      const since = sinceInstant(typed, { now, timezone: account.settings.timezone })
      return {
        account,
        since,
        totals: await box.refusals.read(account.id, since),
        note: await untrustedProxyNote(config),
        config,
      }
    })
    const refusals = totals.map((total) => asResult(total, account.settings))
    const untrustedProxy = note && { ...note, advice: untrustedProxyAdvice(note, config) }
    if (json) {
      const period = { account: account.handle, since: new Date(since).toISOString() }
      await session.out.write(toJson({ ...period, refusals, untrustedProxy }))
      return 0
    }
    const { columns } = session.out
    const drawn = { style: styleFor(session.out, session.env), columns }
    const text = asText(refusals, { handle: account.handle, since }, drawn)
    const proxy = untrustedProxy && [untrustedProxyFound(untrustedProxy), hung('  ', untrustedProxy.advice, columns)]
    await session.out.write(text + printable(proxy ? `\n${proxy.map((part) => `${part}\n`).join('')}` : '', 'lines'))
    return 0
  },
})

interface AdvisedRefusal extends Omit<RefusalTotal, 'origin'> {
  origin: string | null
  advice: string
}

const asResult = (total: RefusalTotal, settings: AccountSettings): AdvisedRefusal => ({
  ...total,
  origin: total.origin === '' ? null : total.origin,
  advice: refusalAdvice(total, settings),
})

function asText(
  refusals: AdvisedRefusal[],
  { handle, since }: { handle: string; since: number },
  { style, columns }: { style: Style; columns: number | undefined },
): string {
  const table = tableText(
    {
      headers: ['Endpoint', 'Check', 'Origin', 'Count'],
      rows: refusals.map(({ endpoint, check, origin, count }) => [endpoint, check, originText(origin), count]),
      empty: `Nothing of ${handle} was refused since ${timestamp(since)}.`,
    },
    style,
    columns,
  )
  // What helps against one check is said once, however many origins met it.
  const advice = new Map(refusals.map((refusal) => [`${refusal.check} ${refusal.advice}`, refusal]))
  const lines = [...advice.values()].map(({ check, advice }) => hung('  ', `${check}: ${advice}`, columns))
  return lines.length === 0 ? table : `${table}\n${printable(lines.join('\n'), 'lines')}\n`
}

function originText(origin: string | null): string {
  if (origin === null) return '(none)'
  return origin === '*' ? '(others)' : origin
}
