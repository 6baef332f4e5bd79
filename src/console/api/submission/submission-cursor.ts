import type { SubmissionPlace } from '../../../report/submission-reader.ts'
import { ApiError } from '../api-error.ts'
import { decoded, encoded } from '../list.ts'

/** The cursor of a place in the list of submissions. */
export const placeText = ({ receivedAt, cursor }: SubmissionPlace): string => encoded(`${receivedAt}.${cursor}`)

/** @throws ApiError `invalid` for a cursor that this list did not return */
export function placeIn(cursor: string): SubmissionPlace {
  const [, receivedAt, row] = /^(\d{1,16})\.(\d{1,16})$/.exec(decoded(cursor)) ?? []
  if (receivedAt === undefined || row === undefined) {
    throw new ApiError('invalid', 'This list did not return this cursor. Start without a cursor.')
  }
  return { receivedAt: Number(receivedAt), cursor: row }
}
