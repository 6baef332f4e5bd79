import { ownHosts } from '../../config/own-hosts.ts'
import type { ConfiguredDomain } from '../../https/domain-status.ts'
import type { Box } from '../box.ts'

/** Every name of this box: connected domains in order of host, then the preview host. */
export async function configuredDomains({
  accounts,
  config,
}: Pick<Box, 'accounts' | 'config'>): Promise<ConfiguredDomain[]> {
  const found = await Promise.all((await accounts.list()).map(({ handle }) => accounts.find(handle)))
  const connected = found.flatMap((account) =>
    (account?.settings.domains ?? []).map(
      (host): ConfiguredDomain => ({ host, account: account?.handle ?? null, use: 'site' }),
    ),
  )
  const inOrder = connected.toSorted((one, other) => (one.host < other.host ? -1 : 1))
  return [...inOrder, ...ownHosts(config).map((own): ConfiguredDomain => ({ ...own, account: null }))]
}
