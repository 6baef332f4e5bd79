import { ownHosts } from '../../config/own-hosts.ts'
import type { ConfiguredDomain } from '../../https/domain-status.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

/** The connected domains of one account in order of host. @throws OperatorError when there is no account of that handle */
export async function domainsOfAccount(
  { accounts }: Pick<Box, 'accounts'>,
  handle: string,
): Promise<ConfiguredDomain[]> {
  const account = await accountNamed(accounts, handle)
  return account.settings.domains.toSorted().map((host) => ({ host, account: account.handle, use: 'site' }))
}

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
  return [...inOrder, ...ownDomains({ config })]
}

/** The preview host, and the console's. */
export const ownDomains = ({ config }: Pick<Box, 'config'>): ConfiguredDomain[] =>
  ownHosts(config).map((own) => ({ ...own, account: null }))
