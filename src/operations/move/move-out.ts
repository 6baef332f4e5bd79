import { type BackupWatch, backUp, type WrittenBackup } from '../backup/back-up.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

interface MoveOutWanted {
  /** Its handle. */
  account: string
  /** Absolute. */
  file: string
  /** Only records received since, epoch milliseconds; `null`: the whole account. */
  since: number | null
  /** The program's version. */
  program: string
}

export interface MovedOut extends WrittenBackup {
  account: string
  /** ISO 8601; `null`: the whole account. */
  since: string | null
  /** From when on the next run takes what was captured here meanwhile, ISO 8601: a day earlier than need be. */
  nextSince: string
}

type MovingBox = Pick<Box, 'accounts' | 'processing' | 'sites' | 'assets' | 'clock' | 'backups' | 'moving'>

const dayMs = 86_400_000

/**
 * Writes an account into a file for another box: a backup that holds this account alone. The account goes on here.
 *
 * @throws OperatorError when there is no account of that handle, or as `backUp` does
 */
export async function moveOut(
  box: MovingBox,
  { account: named, file, since, program }: MoveOutWanted,
  { onNotice, ...watch }: BackupWatch & { onNotice: OnRecordNotice },
): Promise<MovedOut> {
  const { id, handle } = await accountCaughtUp(box, named, onNotice)
  const note = { handle, since: since === null ? null : new Date(since).toISOString() }
  const { copyAccount } = await box.moving()
  const backups = async () => ({ ...(await box.backups()), copyTo: (file: string) => copyAccount(id, since, file) })
  const written = await backUp(
    { ...box, backups },
    { file, skipDamaged: false, recipients: [], program, account: note },
    watch,
  )
  const nextSince = new Date(Date.parse(written.createdAt) - dayMs).toISOString()
  return { account: handle, since: note.since, nextSince, ...written }
}
