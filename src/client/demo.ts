import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes the example site folder to `dir`, ready for `apply`. Files of the same name are
 * overwritten; anything else in `dir` stays.
 */
export async function writeDemoSite(dir: string): Promise<void> {
  const source = demoFolder()
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(dir, from.slice(source.length))
    await mkdir(dirname(to), { recursive: true })
    await Bun.write(to, await Bun.file(from).bytes())
  }
}

/**
 * Inside the executable the folder stands under its last name beside the program: the build lists
 * `./examples/demo` in `compile.assets`.
 */
function demoFolder(): string {
  const embedded = join(import.meta.dir, 'demo')
  const folder = Bun.isStandaloneExecutable ? embedded : join(import.meta.dir, '../../examples/demo')
  if (!existsSync(folder)) throw new Error(`The example site is missing at ${folder}: build with it among the assets.`)
  return folder
}
