import { copyFile, link } from 'node:fs/promises'
import { codeOf } from './asset-store.ts'

/** Error codes of file systems that cannot add another name to a file, or not here (link(2)). */
const noLinks: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Gives a file another name, or copies it where the file system has no links. */
export async function linkOrCopy(
  source: string,
  target: string,
  copy: (source: string, target: string) => Promise<void> = copyFile,
): Promise<void> {
  await link(source, target).catch((error) => {
    if (!noLinks.has(codeOf(error))) throw error
    return copy(source, target)
  })
}
