import { accountPreviewHost } from '../../asset/preview-host.ts'
import type { Config } from '../../config/config.ts'
import { ownHosts, previewsBelow } from '../../config/own-hosts.ts'
import type { ConfiguredDomain } from '../../https/domain-status.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

/** The names of one account: connected domains in order of host, then that of its previews. @throws OperatorError when there is no account of that handle */
export async function domainsOfAccount(
  { accounts, config }: Pick<Box, 'accounts' | 'config'>,
  handle: string,
): Promise<ConfiguredDomain[]> {
  const account = await accountNamed(accounts, handle)
  const connected = account.settings.domains.toSorted()
  return [
    ...connected.map((host): ConfiguredDomain => ({ host, account: account.handle, use: 'site' })),
    ...previewDomains([account], config),
  ]
}

/** Every name of this box: connected domains in order of host, accounts' hosts of previews, then the box's own names. */
export async function configuredDomains({
  accounts,
  config,
}: Pick<Box, 'accounts' | 'config'>): Promise<ConfiguredDomain[]> {
  const listed = await accounts.list()
  const found = await Promise.all(listed.map(({ handle }) => accounts.find(handle)))
  const connected = found.flatMap((account) =>
    (account?.settings.domains ?? []).map(
      (host): ConfiguredDomain => ({ host, account: account?.handle ?? null, use: 'site' }),
    ),
  )
  const inOrder = connected.toSorted((one, other) => (one.host < other.host ? -1 : 1))
  return [...inOrder, ...previewDomains(listed, config), ...ownDomains({ config })]
}

/** The preview host, and the console's. */
export const ownDomains = ({ config }: Pick<Box, 'config'>): ConfiguredDomain[] =>
  ownHosts(config).map(({ host, use }) => ({ host, use, account: null }))

/** The hosts of accounts' previews, where each account has one. */
export const previewDomains = (accounts: readonly { handle: string }[], config: Config): ConfiguredDomain[] =>
  accounts.flatMap(({ handle }) => {
    const host = accountPreviewHost(handle, previewsBelow(config))
    return host === null ? [] : { host, account: handle, use: 'preview' }
  })
