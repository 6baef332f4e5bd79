import { ApiError } from '../api-error.ts'
import { decoded, encoded } from '../list.ts'

/** The cursor that stands for a place in the list of persons. */
export const personCursor = (place: string | null): string | null => place && encoded(place)

/** @throws ApiError `invalid` for what is no cursor of that list */
export function personPlace(cursor: string): string {
  const place = decoded(cursor)
  if (/^\d{1,16}$/.test(place)) return place
  throw new ApiError('invalid', 'The cursor is none that this list has given. Begin without one.')
}
