import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { ipVersion } from '../../lib/ip.ts'
import { plural } from '../../lib/quantities.ts'
import { severalAtOnce } from '../../lib/several-at-once.ts'
import { listedHosts } from './certificate-checks.ts'
import { type CheckResult, ok, warning } from './check-result.ts'
import { domainChecks, type HostCircumstances, noDnsCheck } from './domain-checks.ts'
import { type NameServers, type ObservedHost, observe, type PublicHost } from './observed-host.ts'

/** With this many checks at a time, a thousand silent hosts take a minute. */
const hostsAtOnce = 64

/** Reserved for uses outside public DNS (RFC 6761, RFC 6762, RFC 2606, ICANN's resolution on .internal). */
const privateName = /(?:^|\.)(?:localhost|test|example|invalid|internal|local)$/

interface Looking {
  config: Config
  clock: Clock
  nameServers: NameServers
}

/** Looks up each host, connects to its port and checks its certificate. */
export async function examineHosts(
  hosts: PublicHost[],
  { config, clock, nameServers }: Looking,
): Promise<CheckResult[]> {
  const inWorld = hosts.filter(({ host }) => isInWorld(host))
  const observed = await severalAtOnce(inWorld, hostsAtOnce, (host) => observe(host, nameServers))
  const { mode, caFile } = config.https
  const circumstances: HostCircumstances = {
    now: clock.now(),
    listensHereAlone: listensHereAlone(config),
    tls: mode === 'off' ? 'proxy' : caFile === null ? 'own' : 'own authority',
  }
  const results = noneLookedUp(observed) ?? grouped(observed, circumstances)
  return [...results, ...notLookedUp(hosts.filter(({ host }) => !isInWorld(host)))]
}

/** One result for all sound names; separate results for the first few others. */
function grouped(observed: ObservedHost[], circumstances: HostCircumstances): CheckResult[] {
  const each = observed.map((seen) => ({ host: seen.host, results: domainChecks(seen, circumstances) }))
  const isWell = ({ results }: { results: CheckResult[] }) => results.every(({ status }) => status === 'ok')
  const [well, unwell] = [each.filter(isWell), each.filter((one) => !isWell(one))]
  const more = unwell.length - unwellMax
  return [
    ...unwell.slice(0, unwellMax).flatMap(({ results }) => results),
    ...(more > 0
      ? [warning('domain', `The same applies to ${listedHosts(unwell.slice(unwellMax))}.`, moreAdvice)]
      : []),
    ...(well.length > wellMax
      ? [
          ok(
            'domain',
            `${plural(well.length, 'name')} can be looked up and answer as they should: ${listedHosts(well)}.`,
          ),
        ]
      : well.flatMap(({ results }) => results)),
  ]
}

/** Limits the names with a line of their own. */
const wellMax = 5
const unwellMax = 10
const moreAdvice = 'Fix the names above first and run this again: many names usually have one cause.'

const isInWorld = (host: string): boolean => ipVersion(host) === null && !privateName.test(host)

/** Whether no listener can be reached from another machine. */
const listensHereAlone = ({ server, https }: Config): boolean =>
  [server.listen, ...(https.mode === 'off' ? [] : [https.listen, https.httpListen])].every(
    (address) => address === null || isLoopback(address.host),
  )

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.')

/** If no server answers for any of several names, the fault is this machine's, not theirs. */
function noneLookedUp(observed: ObservedHost[]): CheckResult[] | null {
  const [first] = observed.flatMap(({ lookup }) => ('unasked' in lookup ? [lookup.unasked] : []))
  const isNone = first !== undefined && observed.length > 1 && observed.every(({ lookup }) => 'unasked' in lookup)
  return isNone ? [noDnsCheck(observed.length, first)] : null
}

function notLookedUp(hosts: PublicHost[]): CheckResult[] {
  if (hosts.length === 0) return []
  return [ok('domain', `Not looked up, because such names are not in public DNS: ${listedHosts(hosts)}.`)]
}
