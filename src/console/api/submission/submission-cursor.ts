import type { SubmissionPlace } from '../../../report/submission-reader.ts'
import { cursorOf, placeIn } from '../cursor.ts'

/** The cursor of a place in the list of submissions. */
export const submissionCursor = (place: SubmissionPlace | null): string | null =>
  cursorOf(place && `${place.receivedAt}.${place.cursor}`)

/** @throws ApiError `invalid` for a cursor that this list did not return */
export function submissionPlace(cursor: string | null | undefined): SubmissionPlace | null {
  const [receivedAt, row = ''] = placeIn(cursor, /^(\d{1,15})\.(\d{1,15})$/) ?? []
  return receivedAt === undefined ? null : { receivedAt: Number(receivedAt), cursor: row }
}
