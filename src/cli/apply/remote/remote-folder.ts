import { relative } from 'node:path'
import { hashAssets } from '../../../site/asset-bytes.ts'
import type { SiteFolder } from '../../../site/folder.ts'
import type { SentManifest } from './folder-form.ts'

/** A checked folder, ready to be sent. */
export interface RemoteFolder {
  manifest: SentManifest
  /** A file of each content, by hash. */
  fileOf: ReadonlyMap<string, string>
}

/** Hashes the files of a folder. @throws SiteFaults for pages that are not UTF-8 */
export async function remoteFolder(
  { root, assets, fetchedSecrets }: SiteFolder,
  dir: string,
  onDone: (done: number, total: number) => void,
): Promise<RemoteFolder> {
  const hashed = await hashAssets(assets, { dir, onDone })
  const files = new Map(
    hashed.map(({ file, sha256, byteCount }) => {
      const path = relative(root, file)
      return [path, { path, sha256, bytes: byteCount }]
    }),
  )
  return {
    manifest: {
      siteToml: await siteTomlText(root),
      secrets: Object.fromEntries(fetchedSecrets),
      files: [...files.values()],
    },
    fileOf: new Map(hashed.map(({ sha256, file }) => [sha256, file])),
  }
}

/** With a byte order mark where there is one. */
const siteTomlText = async (root: string): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await Bun.file(`${root}/site.toml`).bytes())
