import type { SubmissionPlace } from '../../../report/submission-reader.ts'
import { ApiError } from '../api-error.ts'
import { decoded, encoded } from '../list.ts'

/** The cursor that stands for a place in the list of submissions. */
export const placeText = ({ receivedAt, cursor }: SubmissionPlace): string => encoded(`${receivedAt}.${cursor}`)

/** @throws ApiError `invalid` for what is no cursor of that list */
export function placeIn(cursor: string): SubmissionPlace {
  const [, receivedAt, row] = /^(\d{1,16})\.(\d{1,16})$/.exec(decoded(cursor)) ?? []
  if (receivedAt === undefined || row === undefined) {
    throw new ApiError('invalid', 'The cursor is none that this list has given. Begin without one.')
  }
  return { receivedAt: Number(receivedAt), cursor: row }
}
