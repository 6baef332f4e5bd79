import { publicBase } from '../../config/own-hosts.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { previewAddresses } from '../page/preview-link.ts'

/** Where websites get what the forms of an account need. */
export interface FormPlaces {
  /** What addresses on the account's first domain begin with; `null`: it has none. */
  base: string | null
  /** The signed address of the test page, valid for an hour. */
  testPageUrl: string
}

/** @throws NotThere when there is no account of that handle */
export async function formPlaces(
  box: Pick<Box, 'accounts' | 'signingKeys' | 'config' | 'clock'>,
  named: string,
): Promise<FormPlaces> {
  const account = await accountNamed(box.accounts, named)
  const previews = await previewAddresses(box, account)
  const [domain] = account.settings.domains
  return {
    base: domain === undefined ? null : publicBase(box.config, domain),
    testPageUrl: previews.testPage(),
  }
}
