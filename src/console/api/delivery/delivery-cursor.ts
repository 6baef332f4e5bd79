import { ApiError } from '../api-error.ts'
import { decoded, encoded } from '../list.ts'

/** The cursor of a place in the list of deliveries. */
export const deliveryPlaceText = (place: string): string => encoded(place)

/** @throws ApiError `invalid` for a cursor that this list did not return */
export function deliveryPlace(cursor: string): string {
  const place = decoded(cursor)
  if (/^\d{1,15}$/.test(place)) return place
  throw new ApiError('invalid', 'This list did not return this cursor. Start without a cursor.')
}
