import type { Look } from '../../https/keeper/name-steps.ts'
import { nameVerdict } from '../../https/name/name-verdict.ts'
import { type NameSight, observedName, observeName } from '../../https/name/observe-name.ts'
import { recordTargets } from '../../https/name/own-addresses.ts'
import { whyNotPublic } from '../../https/name/public-name.ts'
import type { Box } from '../box.ts'
import type { MetAuthority } from './authority.ts'

export type LookSources = Pick<Box, 'signingKeys' | 'config' | 'clock' | 'isServed'>

/** Checks DNS, CAA and port 80 of a name now; `null`: the name is not in public DNS. */
export async function lookAtWorld(
  host: string,
  authority: Promise<MetAuthority>,
  box: LookSources,
): Promise<Look | null> {
  if (whyNotPublic(host) !== null) return null
  const { https } = box.config
  const { resolvers, addresses } = https
  const { secret } = (await box.signingKeys.read()).current('name')
  const [sight, met] = await Promise.all([observeName(host, { resolvers, secret }), authority])
  const circumstances = { ...met, addresses, targets: recordTargets(addresses), now: box.clock.now() }
  const verdict = nameVerdict(box.isServed() ? sight : asIfServed(sight), circumstances)
  return { observed: observedName(sight, addresses), hindrance: verdict.ready ? null : verdict.reason }
}

/** Without a running service nothing can answer, which is not the name's fault. */
const asIfServed = (sight: NameSight): NameSight => ({
  ...sight,
  reached: sight.reached.map((reached) =>
    reached.answer === 'none' || reached.answer === 'unknown' ? { ...reached, answer: 'ours' } : reached,
  ),
})
