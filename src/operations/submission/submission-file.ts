import { sentBytes } from '../../account/visitor-file.ts'
import type { VisitorFile } from '../../ledger/entry.ts'
import { NotThere, OperatorError } from '../../lib/operator-error.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { submissionNamed } from './show-submission.ts'

export interface SubmissionFileNamed {
  /** Its handle. */
  account: string
  submission: string
  /** The file's id, or its name if no other of the submission has the same. */
  file: string
}

/** A file that a visitor sent with a submission. @throws NotThere; OperatorError when its bytes are missing */
export async function submissionFile(
  { accounts, submissions, assets }: Pick<Box, 'accounts' | 'submissions' | 'assets'>,
  { account: handle, submission: id, file: named }: SubmissionFileNamed,
): Promise<{ file: VisitorFile; bytes: Blob }> {
  const account = await accountNamed(accounts, handle)
  const { submission } = await submissionNamed(submissions, account, id)
  const files = (submission.files ?? []).filter(({ id, name }) => id === named || name === named)
  const [file] = files
  if (file === undefined) throw new NotThere(`The submission ${id} has no file "${named}".`)
  if (files.length > 1)
    throw new OperatorError(`The submission ${id} has ${files.length} files "${named}": name one by its id.`)
  const stored = await assets.open({ sha256: file.sha256, encoding: 'identity' })
  if (stored === null)
    throw new OperatorError(`The bytes of "${file.name}" are missing in the data folder. Restore them from a backup.`)
  return { file, bytes: sentBytes(stored) }
}
