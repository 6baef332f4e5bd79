import { readHostname } from '../../lib/hostname.ts'
import { withBoolean, withListed, withTable } from '../../lib/toml/edit.ts'
import { parseToml } from '../../lib/toml/parse.ts'
import type { TomlValue } from '../../lib/toml/value.ts'

type Change = (siteToml: string, value: string) => string | null

/** What a button changes in `site.toml`, by the name in its form. */
const changes = {
  /** Another website that may send. */
  origin: (siteToml, origin) => withListed(siteToml, 'origins', origin),
  /** A closed form is open again. */
  form(siteToml, id) {
    const at = namesIn(siteToml, 'forms', 'id').indexOf(id)
    return at === -1 ? null : withBoolean(siteToml, ['forms', at, 'registered'], true)
  },
  /** Another domain, which may be typed as the address of a page. */
  domain(siteToml, typed) {
    const host = hostnameIn(typed)
    const isThere = textsIn(siteToml, 'domains').some((written) => hostnameIn(written) === host)
    return isThere ? siteToml : withListed(siteToml, 'domains', host)
  },
  /** Each lead goes by mail to these addresses, with commas between them. */
  mail(siteToml, addresses) {
    const to = addresses
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== '')
    const name = freeName('mail', namesIn(siteToml, 'deliveries', 'name'))
    return withTable(siteToml, 'deliveries', { name, kind: 'mail', to })
  },
} satisfies Record<string, Change>

export interface SettingsChange {
  change: keyof typeof changes
  value: string
}

export const isSettingsChange = (name: string): name is SettingsChange['change'] => Object.hasOwn(changes, name)

/** The text with one thing changed, and everything else as it was. `null`: this text has no place for the change. */
export function changedSettings(siteToml: string, { change, value }: SettingsChange): string | null {
  if (parseToml(siteToml).fault !== null) return null
  const changed = changes[change](siteToml, value.trim())
  return changed !== null && parseToml(changed).fault === null ? changed : null
}

const schemeAndHost = /^(?:https?:\/\/)?([^/?#:]*)/i

/** The host of an address, as `readHostname` has it; what is none stays as it is, for its fault to be told. */
function hostnameIn(address: string): string {
  const reading = readHostname(schemeAndHost.exec(address)?.[1] ?? '')
  return 'value' in reading ? reading.value : address
}

/** The strings of a list. */
const textsIn = (siteToml: string, list: string): string[] =>
  itemsIn(siteToml, list).flatMap((value) => (value.kind === 'string' ? [value.value] : []))

function itemsIn(siteToml: string, list: string): TomlValue[] {
  const listed = parseToml(siteToml).table?.entries.get(list)?.value
  return listed?.kind === 'array' ? listed.items.map(({ value }) => value) : []
}

/** What the tables of a list are called by; `null`: one has no name. */
const namesIn = (siteToml: string, list: string, key: string): (string | null)[] =>
  itemsIn(siteToml, list).map((value) => textAt(value, key))

function textAt(value: TomlValue, key: string): string | null {
  const named = value.kind === 'table' ? value.entries.get(key)?.value : undefined
  return named?.kind === 'string' ? named.value : null
}

/** As `mail`, `mail-2`, `mail-3`. */
function freeName(name: string, taken: readonly (string | null)[]): string {
  let free = name
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`
  return free
}
