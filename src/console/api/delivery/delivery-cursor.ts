import { ApiError } from '../api-error.ts'
import { decoded, encoded } from '../list.ts'

/** The cursor that stands for a place in the list of deliveries. */
export const deliveryPlaceText = (place: string): string => encoded(place)

/** @throws ApiError `invalid` for what is no cursor of that list */
export function deliveryPlace(cursor: string): string {
  const place = decoded(cursor)
  if (/^\d{1,15}$/.test(place)) return place
  throw new ApiError('invalid', 'The cursor is none that this list has given. Begin without one.')
}
