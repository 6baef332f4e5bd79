import { NotThere } from '../../lib/operator-error.ts'
import type { KeptFolder } from '../../site/kept-folder.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

/** The folder that an account was last published from. @throws NotThere when there is no such account, or no folder of it */
export async function keptFolder(
  { accounts, folders }: Pick<Box, 'accounts' | 'folders'>,
  named: string,
): Promise<KeptFolder> {
  const { id, handle } = await accountNamed(accounts, named)
  const kept = await folders.read(id)
  if (kept !== null) return kept
  throw new NotThere(`The box has no site.toml of ${handle}. Apply its folder again.`)
}
