import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The version that `install.sh --dev` builds. */
export const pebbleVersion = '2.10.1'

const folder = `pebble-${pebbleVersion}`
/** Where `install.sh --dev` puts it: below the home folder, or in the clone where that takes nothing. */
const places = [
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'capture', folder),
  join(import.meta.dir, '../../gen', folder),
]

/** The path of `pebble` or `pebble-challtestsrv`. @throws when it is not here */
export function pebbleProgram(name: 'pebble' | 'pebble-challtestsrv'): string {
  const found = places.map((place) => join(place, name)).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`There is no ${name} ${pebbleVersion}. Install it with ./install.sh --dev`)
  return found
}
