import type { JsonObject } from '../../../lib/json-value.ts'
import { plainTraits } from '../../../processing/person/persons.ts'
import type { ListedPerson, PersonList, PersonListQuery } from '../../../report/person-reader.ts'
import type { Connection } from '../database/connection.ts'
import { decodeTraits } from '../processing/traits-codec.ts'

/** Persons examined for one part of a search: a few ms. */
const searchedMax = 1000

interface StoredPerson {
  row: number
  id: string
  email: string
  traits: string
}

/** A page of an account's persons in the order in which they became known, latest first. */
export function latestPersons(connection: Connection, { accountId, limit, behind, q }: PersonListQuery): PersonList {
  const text = q?.toLowerCase()
  const found: StoredPerson[] = []
  let last: StoredPerson | null = null
  let looked = 0
  // One more than shown or examined: it shows whether there is a next page.
  const rows = connection.raw
    .query<StoredPerson, [string, number, number]>(latestQuery)
    .iterate(accountId, Number(behind ?? Number.MAX_SAFE_INTEGER), text === undefined ? limit + 1 : searchedMax + 1)
  for (const row of rows) {
    if (found.length === limit || looked === searchedMax) return { persons: found.map(asListed), next: cursorOf(last) }
    looked++
    last = row
    if (text === undefined || isNamed(row, text)) found.push(row)
  }
  return { persons: found.map(asListed), next: null }

  function asListed(row: StoredPerson): ListedPerson {
    return listed(connection, row)
  }
}

const latestQuery = `SELECT row, id, email, traits FROM person
  WHERE account_row = (SELECT row FROM account WHERE id = ?) AND row < ? ORDER BY row DESC LIMIT ?`

const cursorOf = (last: StoredPerson | null): string | null => (last === null ? null : String(last.row))

/** The stored text holds more than the traits: only reading it shows whether the match is a trait. */
function isNamed({ id, email, traits }: StoredPerson, text: string): boolean {
  if (email.includes(text) || id === text) return true
  if (!traits.toLowerCase().includes(JSON.stringify(text).slice(1, -1))) return false
  return JSON.stringify(traitsOf(traits)).toLowerCase().includes(JSON.stringify(text).slice(1, -1))
}

const traitsOf = (text: string): JsonObject => plainTraits(decodeTraits(text))

/** A stored person as a list names them. */
export function listed({ raw }: Connection, { row, id, email, traits }: StoredPerson): ListedPerson {
  const counted = raw
    .query<Pick<ListedPerson, 'submissions' | 'lastSubmittedAt'>, [number]>(
      `SELECT count(*) AS submissions, max(received_at) AS lastSubmittedAt FROM submission_fact
       WHERE person_row = ? AND (status = 'accepted' OR released_at IS NOT NULL)`,
    )
    .get(row)
  return { id, email, traits: traitsOf(traits), ...(counted ?? { submissions: 0, lastSubmittedAt: null }) }
}
