import { ApiError } from '../api-error.ts'
import { decoded, encoded } from '../list.ts'

/** The cursor of a place in the list of persons. */
export const personCursor = (place: string | null): string | null => place && encoded(place)

/** @throws ApiError `invalid` for a cursor that this list did not return */
export function personPlace(cursor: string): string {
  const place = decoded(cursor)
  if (/^\d{1,16}$/.test(place)) return place
  throw new ApiError('invalid', 'This list did not return this cursor. Start without a cursor.')
}
