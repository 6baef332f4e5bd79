import type { Clock } from '../../lib/clock.ts'
import { type Authority, knownDirectoryAt } from '../acme/authority.ts'
import { openAuthority } from '../acme/open-authority.ts'
import { Transport } from '../acme/transport.ts'
import { DnsLookup } from '../name/dns-lookup.ts'
import { nameVerdict } from '../name/name-verdict.ts'
import { observedName, observeName, recordsOf } from '../name/observe-name.ts'
import { recordTargets } from '../name/own-addresses.ts'
import type { Look } from './name-steps.ts'
import type { KeeperParts, LookQuestion } from './parts.ts'
import type { KeeperSettings } from './targets.ts'

type World = Pick<KeeperParts, 'authority' | 'authorityTime' | 'look'> & {
  txtRecords: (name: string, signal: AbortSignal) => Promise<string[]>
}

const askMsMax = 10_000
const directoryBytesMax = 65_536

/** Opens the keeper's network dependencies: authorities and DNS. @param secret of the box's current key of the purpose `name` */
export function openWorld(
  settings: KeeperSettings,
  { clock, secret }: { clock: Clock; secret: () => Promise<Uint8Array> },
): World {
  const { resolvers, addresses, userAgent, caFile: trusted } = settings
  const transport = new Transport({ trusted, userAgent, requestMsMax: askMsMax })
  const authorities = new Map<string, Authority>()
  const authority = (directory: string): Authority => {
    const authority =
      authorities.get(directory) ?? openAuthority({ directoryUrl: directory, trusted, userAgent, clock })
    authorities.set(directory, authority)
    return authority
  }
  return {
    authority,
    authorityTime: async (directory, signal) => {
      const { headers } = await transport.send({ method: 'GET', url: directory, bytesMax: directoryBytesMax }, signal)
      const instant = Date.parse(headers.get('date') ?? '')
      return Number.isNaN(instant) ? null : instant
    },
    look: async (host, question): Promise<Look> => {
      const [sight, caaIdentities] = await Promise.all([
        observeName(host, { resolvers, secret: await secret() }),
        identities(question, authority),
      ])
      const circumstances = { addresses, targets: recordTargets(addresses), accountUrl: question.accountUrl }
      const verdict = nameVerdict(sight, { ...circumstances, caaIdentities, now: clock.now() })
      return { observed: observedName(sight, addresses), hindrance: verdict.ready ? null : verdict.reason }
    },
    txtRecords: async (name, signal) => recordsOf(await new DnsLookup(resolvers).texts(name, signal)),
  }
}

/** The authority's CAA names; empty: unknown. */
async function identities({ directory }: LookQuestion, authority: (directory: string) => Authority) {
  const known = knownDirectoryAt(directory)
  if (known !== null) return known.caaIdentities
  const offer = await authority(directory)
    .offer(AbortSignal.timeout(askMsMax))
    .catch(() => null)
  return offer?.caaIdentities ?? []
}
