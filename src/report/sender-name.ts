import type { JsonObject } from '../lib/json-value.ts'

/** Fields that hold a name, best first. */
const wholeNames = ['name', 'fullname', 'full_name', 'full-name', 'your-name', 'your_name', 'yourname']
const firstNames = ['firstname', 'first_name', 'first-name', 'given_name', 'vorname', 'prenom', 'nombre', 'nome']
const lastNames = ['lastname', 'last_name', 'last-name', 'family_name', 'surname', 'nachname', 'apellidos', 'cognome']
const nameFields: ReadonlySet<string> = new Set([...wholeNames, ...firstNames, ...lastNames])

export const isNameField = (name: string): boolean => nameFields.has(name.toLowerCase())

/** Who sent the fields, as far as they say: by name, else by address. */
export const whoSent = (fields: JsonObject, email: string | null): string | null => senderName(fields) ?? email

/** The name that somebody gave, in fields or traits; `null`: none. */
export function senderName(fields: JsonObject): string | null {
  const byName = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  const first = (names: readonly string[]) =>
    names.map((name) => byName.get(name)).find((value) => typeof value === 'string' && value.trim() !== '')
  const parts = [first(firstNames), first(lastNames)].filter((part) => part !== undefined)
  const found = first(wholeNames) ?? (parts.length === 0 ? undefined : parts.join(' '))
  return typeof found === 'string' ? found.trim() : null
}
