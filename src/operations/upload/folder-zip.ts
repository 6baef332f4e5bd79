import type { AssetStore } from '../../asset/asset-store.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { KeptFile, KeptFolder } from '../../site/kept-folder.ts'
import type { PackedFile, UploadFolders } from './upload-folder.ts'

/** These shrink; images and most downloads are compressed already. */
const texts = /\.(?:html|svg|txt|css|js|json|csv|xml|ics|vcf|md)$/i

/** A kept folder as a zip, without secrets and otherwise as it was applied. It breaks off when a file is missing or damaged. */
export function folderZip(
  { siteToml, files }: KeptFolder,
  { assets, uploads }: { assets: AssetStore; uploads: Pick<UploadFolders, 'pack'> },
): Promise<AsyncIterable<Uint8Array>> {
  const settings = { path: 'site.toml', isText: true, bytes: () => bytesOf(new TextEncoder().encode(siteToml)) }
  return uploads.pack([settings, ...files.map((file) => packed(file, assets))])
}

const packed = ({ path, sha256 }: KeptFile, assets: AssetStore): PackedFile => ({
  path,
  isText: texts.test(path),
  bytes: () => sound(sha256, path, assets),
})

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

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
