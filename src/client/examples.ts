import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A site folder in `examples/`. */
type Example = 'demo' | 'first-site'

/**
 * Writes an example site folder to `dir`, ready for `apply`. Files of the same name are overwritten; anything else in `dir` stays.
 *
 * @param put what stands in the place of some words of the example
 * @returns the paths of the files, relative to `dir`
 */
export async function writeExample(
  example: Example,
  dir: string,
  put: readonly (readonly [word: string, text: string])[] = [],
): Promise<string[]> {
  const source = exampleFolder(example)
  const entries = await readdir(source, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const paths = files.map((file) => file.slice(source.length + 1)).sort()
  for (const path of paths) {
    const to = join(dir, path)
    await mkdir(dirname(to), { recursive: true })
    const bytes = await Bun.file(join(source, path)).bytes()
    await Bun.write(to, put.length === 0 ? bytes : replaced(new TextDecoder().decode(bytes), put))
  }
  return paths
}

/** One word after the other, so that what stands for a later one must not be in the text of an earlier one. */
const replaced = (text: string, put: readonly (readonly [word: string, text: string])[]): string =>
  put.reduce((done, [word, other]) => done.replaceAll(word, () => other), text)

/** Inside the executable the folder stands under its last name beside the program: the build lists it in `compile.assets`. */
function exampleFolder(example: Example): string {
  const embedded = join(import.meta.dir, example)
  const folder = Bun.isStandaloneExecutable ? embedded : join(import.meta.dir, '../../examples', example)
  if (!existsSync(folder)) throw new Error(`The example is missing at ${folder}: build with it among the assets.`)
  return folder
}
