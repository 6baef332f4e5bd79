import type { StoredAccount } from '../../account/account.ts'
import type { Asset } from '../../asset/asset.ts'
import { type AddressedKind, assetKinds } from '../../asset/asset-kind.ts'
import type { Catalogue } from '../../asset/catalogue.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/suggestion.ts'

/** The page, image or file with that name or short id. @throws NotThere that suggests a similar name */
export async function assetNamed(
  catalogue: Pick<Catalogue, 'assets'>,
  account: Pick<StoredAccount, 'id' | 'handle'>,
  { kind, text }: { kind: AddressedKind; text: string },
): Promise<Asset> {
  const assets = (await catalogue.assets(account.id)).filter((asset) => asset.kind === kind)
  // Names take precedence: a slug may look like another page's short id.
  const found = assets.find(({ name }) => name === text) ?? assets.find(({ id }) => id === text)
  if (found) return found
  const meant = nearest(
    text,
    assets.map(({ name }) => name),
  )
  const list = kind === 'page' ? `capture page list ${account.handle}` : 'capture apply DIR --json'
  const advice = meant !== null ? `Did you mean "${meant}"?` : `\`${list}\` lists what is published.`
  throw new NotThere(`${account.handle} has published no ${assetKinds[kind].word} "${text}". ${advice}`)
}
