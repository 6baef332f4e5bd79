import { chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cleanUpWhenInterrupted } from '../../lib/interruption.ts'
import type { SiteFolder } from '../../site/folder.ts'
import { dataOwner, processUser } from '../data-folder/data-owner.ts'

interface Owner {
  uid: number
  gid: number
}

/**
 * The folder's files where the data folder's owner can read them: root, who becomes that owner, copies those of a closed folder,
 * such as a home of mode 0700. Call it before the data folder is opened, and dispose of it when nobody reads the files any more.
 */
export function copyForOwner(folder: SiteFolder, dataDir: string): { folder: SiteFolder } & Disposable {
  const owner = processUser().uid === 0 ? dataOwner(dataDir) : null
  if (owner === null || owner.uid === 0 || isOpenTo(owner, folder)) return { folder, [Symbol.dispose]() {} }
  const dir = mkdtempSync(join(tmpdir(), 'capture-apply-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  const settle = cleanUpWhenInterrupted(remove)
  const end = () => {
    remove()
    settle()
  }
  try {
    const assets = folder.assets.map((asset, index) => {
      const file = join(dir, String(index))
      copyFileSync(asset.file, file)
      chownSync(file, owner.uid, owner.gid)
      return { ...asset, file }
    })
    chownSync(dir, owner.uid, owner.gid)
    return { folder: { ...folder, assets }, [Symbol.dispose]: end }
  } catch (error) {
    end()
    throw error
  }
}

/** Whether the modes of all files, and of the folders above them, let the user read. */
function isOpenTo(owner: Owner, { assets }: SiteFolder): boolean {
  const folders = new Map<string, boolean>()
  const isOpen = (folder: string): boolean => {
    const known = folders.get(folder)
    if (known !== undefined) return known
    const open = permits(folder, owner, 1) && (folder === dirname(folder) || isOpen(dirname(folder)))
    folders.set(folder, open)
    return open
  }
  return assets.every(({ file }) => permits(file, owner, 4) && isOpen(dirname(file)))
}

/** @param right 4: read, 1: search (inode(7)) */
function permits(path: string, { uid, gid }: Owner, right: 4 | 1): boolean {
  const stats = statSync(path)
  const shift = stats.uid === uid ? 6 : stats.gid === gid ? 3 : 0
  return ((stats.mode >> shift) & right) !== 0
}
