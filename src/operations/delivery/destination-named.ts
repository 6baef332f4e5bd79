import type { StoredAccount } from '../../account/account.ts'
import type { Destination } from '../../account/destination.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/suggestion.ts'

/** The account's destination of that name. @throws NotThere that says which one was probably meant */
export function destinationNamed({ handle, destinations }: StoredAccount, name: string): Destination {
  const found = destinations.find((destination) => destination.name === name)
  if (found !== undefined) return found
  const names = destinations.map((destination) => destination.name)
  const meant = nearest(name, names)
  const advice =
    names.length === 0 ? 'It has no destinations: add [[deliveries]] to its site.toml.' : `It has: ${names.join(', ')}.`
  throw new NotThere(
    `The account "${handle}" has no destination "${name}". ${meant === null ? advice : `Did you mean "${meant}"?`}`,
  )
}
