import { OperatorError } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'
import { type ListedBackup, listBackups } from './list-backups.ts'

/** Behind a backup: its target, and its moment in epoch milliseconds. */
export interface BackupPlace {
  target: string
  at: number
}

export interface BackupsWanted {
  limit: number
  /** Part of a kind or of a target's address; `null`: all. */
  q: string | null
  behind: BackupPlace | null
}

export interface BackupPage {
  /** Target by target, in order of time. */
  backups: ListedBackup[]
  /** Where the next page begins; `null`: this is the last. */
  next: BackupPlace | null
  /** Why targets could not be read. */
  faults: string[]
}

/** Backups that one page of a search looks at; those behind them are the next page's. */
const searchedMax = 10_000

/** One page of what the targets hold. A target that cannot be read does not hide the others. */
export async function pageOfBackups(
  { targets }: Pick<Box, 'targets'>,
  { limit, q, behind }: BackupsWanted,
): Promise<BackupPage> {
  const opened = await targets()
  const begun = behind === null ? 0 : opened.findIndex(({ target }) => target.url === behind.target)
  const page: BackupPage = { backups: [], next: null, faults: [] }
  let searched = 0
  for (const [index, one] of opened.slice(Math.max(0, begun)).entries()) {
    try {
      for await (const backup of listBackups(one, index === 0 ? behind?.at : undefined)) {
        if (page.backups.length === limit || searched === searchedMax) return page
        searched++
        if (isWanted(backup, q)) page.backups.push(backup)
        page.next = { target: backup.target, at: Date.parse(backup.at) }
      }
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      page.faults.push(error.message)
    }
  }
  return { ...page, next: null }
}

function isWanted({ kind, target }: ListedBackup, q: string | null): boolean {
  const wanted = q?.toLowerCase() ?? ''
  return [kind, target.toLowerCase()].some((text) => text.includes(wanted))
}
