import { domainJson } from '../../operations/domain/domain-json.ts'
import { listDomains } from '../../operations/domain/list-domains.ts'
import type { ExitStatus } from '../command.ts'
import { toJson } from '../output/json.ts'
import { styleFor } from '../output/style.ts'
import type { Session } from '../session.ts'
import { withBox } from '../with-box.ts'
import { domainsText } from './domain-text.ts'
import { persistText } from './persist-text.ts'
import { staleness } from './staleness.ts'

/** `capture domain list`: in mode `auto` as the service last saw the names, with a notice if that is outdated. */
export async function runDomainList(
  { account, json }: { account: string | undefined; json: boolean },
  session: Session,
): Promise<ExitStatus> {
  const { list, stale } = await withBox(session, async (box) => {
    const list = await listDomains(box, { account: account ?? null, asksAuthority: true })
    const circumstances = { isRunning: box.isServed(), now: session.clock.now() }
    return { list, stale: box.config.https.mode === 'auto' ? staleness(list.domains, circumstances) : null }
  })
  const { domains, persistRecords } = list
  const { out, err, env } = session
  await out.write(
    json
      ? toJson(domains.map((domain) => domainJson(domain, persistRecords.get(domain.host) ?? null)))
      : domainsText(domains, styleFor(out, env), out.columns) + persistText([...persistRecords.values()]),
  )
  if (stale !== null) err.write(`Note: ${stale}\n`)
  return 0
}
