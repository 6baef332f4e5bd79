import { ObjectFault } from './format/bundle-header.ts'
import { NotOurs } from './owner.ts'
import { TargetFault } from './target/backup-target.ts'

/** Why a backup failed, as the end of a sentence that begins with "The target …"; `null`: it is a bug. */
export function faultWords(error: unknown): string | null {
  if (error instanceof TargetFault || error instanceof NotOurs) return error.message
  if (error instanceof ObjectFault) return `has a damaged object: ${error.object} ${error.message}`
  return null
}
