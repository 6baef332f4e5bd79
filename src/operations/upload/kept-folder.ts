import type { AssetStore } from '../../asset/asset-store.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { assertKnown, type KnownRevisions, revisionOf } from '../../lib/revision.ts'
import type { KeptFile, KeptFolder } from '../../site/kept-folder.ts'
import { accountNamed } from '../account/account-named.ts'
import type { AppliedFolder } from '../apply/apply-folder.ts'
import type { Box } from '../box.ts'
import { type ApplyingBox, applyUpload, type UploadWanted } from './apply-upload.ts'
import type { PackedFile, UploadFolders } from './upload-folder.ts'

/** The folder that an account was last published from. @throws NotThere when there is no such account, or no folder of it */
export async function keptFolder(
  { accounts, folders }: Pick<Box, 'accounts' | 'folders'>,
  named: string,
): Promise<KeptFolder> {
  const { id, handle } = await accountNamed(accounts, named)
  return (await folders.read(id)) ?? noneOf(handle)
}

/** The same folder's `site.toml`. @throws NotThere as that */
export async function keptSiteToml(
  { accounts, folders }: Pick<Box, 'accounts' | 'folders'>,
  named: string,
): Promise<string> {
  const { id, handle } = await accountNamed(accounts, named)
  return (await folders.readSiteToml(id)) ?? noneOf(handle)
}

function noneOf(handle: string): never {
  throw new NotThere(`The box has no site.toml of ${handle}. Apply its folder again.`)
}

interface SiteTomlEdit extends Pick<UploadWanted, 'dryRun' | 'accept' | 'by' | 'connects' | 'mayDecideOnData'> {
  /** The handle. */
  account: string
  /** The new text. */
  text: string
  /** Of the texts that may be replaced. */
  known: KnownRevisions
}

/**
 * Publishes the folder that the box keeps, with another `site.toml`.
 *
 * @throws SiteFaults; ChangedMeanwhile; NotThere when the box keeps no folder. Nothing has changed then
 */
export async function editSiteToml(
  box: ApplyingBox & Pick<Box, 'uploads'>,
  { account, text, known, ...edit }: SiteTomlEdit,
): Promise<AppliedFolder> {
  const { files, siteToml } = await keptFolder(box, account)
  const upload = await box.uploads.make(`${edit.by.via} ${edit.by.name}`)
  try {
    refuseChanged(siteToml, known)
    await upload.write('site.toml', bytesOf(text))
    for (const { path, sha256 } of files) {
      if (!(await upload.placeStored(path, sha256)))
        throw new OperatorError(`The content of ${path} is missing on this box; \`capture doctor\` says what is.`)
    }
    const onLocked = async () => refuseChanged(await keptSiteToml(box, account), known)
    const wanted = {
      dir: upload.dir,
      account,
      secrets: {},
      prune: false,
      strict: false,
      ...edit,
      origin: 'box' as const,
      onLocked,
    }
    return await applyUpload(box, wanted)
  } finally {
    upload.remove()
  }
}

const refuseChanged = (siteToml: string, known: KnownRevisions): void =>
  assertKnown(known, revisionOf(siteToml), 'Somebody else has changed site.toml since you opened it. Open it again.')

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** These shrink; images and most downloads are compressed already. */
const texts = /\.(?:html|svg|txt|css|m?js|json|map|webmanifest|wasm|otf|ttf|vtt|csv|xml|ics|vcf|md)$/i

/** A kept folder as a zip, without secrets and otherwise as it was applied. It breaks off when a file is missing or damaged. */
export function folderZip(
  { siteToml, files }: KeptFolder,
  { assets, uploads }: { assets: AssetStore; uploads: Pick<UploadFolders, 'pack'> },
): Promise<AsyncIterable<Uint8Array>> {
  const settings = { path: 'site.toml', isText: true, bytes: () => bytesOf(siteToml) }
  return uploads.pack([settings, ...files.map((file) => packed(file, assets))])
}

const packed = ({ path, sha256 }: KeptFile, assets: AssetStore): PackedFile => ({
  path,
  isText: texts.test(path),
  bytes: () => sound(sha256, path, assets),
})

/** The stored bytes; throws at their end when they are damaged. */
async function* sound(sha256: string, path: string, assets: AssetStore): AsyncGenerator<Uint8Array> {
  const body = await assets.open({ sha256, encoding: 'identity' })
  if (body === null) throw new OperatorError(`The content of ${path} is missing on this box.`)
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of body.stream()) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new OperatorError(`The content of ${path} is damaged on this box.`)
}
