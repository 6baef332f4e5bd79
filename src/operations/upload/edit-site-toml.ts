import { OperatorError } from '../../lib/operator-error.ts'
import { assertKnown, type KnownRevisions, revisionOf } from '../../lib/revision.ts'
import type { Box } from '../box.ts'
import { type AppliedUpload, type ApplyingBox, applyUpload, type UploadWanted } from './apply-upload.ts'
import { keptFolder } from './kept-folder.ts'

interface SiteTomlEdit extends Pick<UploadWanted, 'dryRun' | 'by' | 'connects' | 'mayDecideOnData'> {
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
): Promise<AppliedUpload> {
  const { files, siteToml } = await keptFolder(box, account)
  const upload = await box.uploads.make(`${edit.by.via} ${edit.by.name}`)
  try {
    refuseChanged(siteToml, known)
    await upload.write('site.toml', bytesOf(text))
    for (const { path, sha256 } of files) {
      if (!(await upload.placeStored(path, sha256)))
        throw new OperatorError(`The content of ${path} is missing on this box; \`capture doctor\` says what is.`)
    }
    const onLocked = async () => refuseChanged((await keptFolder(box, account)).siteToml, known)
    const wanted = { dir: upload.dir, account, secrets: {}, prune: false, ...edit, isHere: true, onLocked }
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
