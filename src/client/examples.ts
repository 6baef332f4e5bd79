import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A site folder in `examples/`. */
type Example = 'demo' | 'first-site'

export interface ExampleFile {
  /** Below the folder. */
  path: string
  bytes: Uint8Array
}

/** What stands in the place of some words of an example. */
type Put = readonly (readonly [word: string, text: string])[]

/** The files of an example, ready for `apply`, in order of their paths. */
export async function exampleFiles(example: Example, put: Put = []): Promise<ExampleFile[]> {
  const source = exampleFolder(example)
  const entries = await readdir(source, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const paths = files.map((file) => file.slice(source.length + 1)).sort()
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await Bun.file(join(source, path)).bytes()
      const text = () => replaced(new TextDecoder().decode(bytes), put)
      return { path, bytes: put.length === 0 ? bytes : new TextEncoder().encode(text()) }
    }),
  )
}

/** Writes files to `dir`. Files of the same name are overwritten; anything else in `dir` stays. @returns their paths */
export async function writeFiles(files: readonly ExampleFile[], dir: string): Promise<string[]> {
  for (const { path, bytes } of files) {
    const to = join(dir, path)
    await mkdir(dirname(to), { recursive: true })
    await Bun.write(to, bytes)
  }
  return files.map(({ path }) => path)
}

export const writeExample = async (example: Example, dir: string): Promise<string[]> =>
  writeFiles(await exampleFiles(example), dir)

/** One word after the other, so that what stands for a later one must not be in the text of an earlier one. */
const replaced = (text: string, put: Put): string =>
  put.reduce((done, [word, other]) => done.replaceAll(word, () => other), text)

/** Inside the executable the folder stands under its last name beside the program: the build lists it in `compile.assets`. */
function exampleFolder(example: Example): string {
  const embedded = join(import.meta.dir, example)
  const folder = Bun.isStandaloneExecutable ? embedded : join(import.meta.dir, '../../examples', example)
  if (!existsSync(folder)) throw new Error(`The example is missing at ${folder}: build with it among the assets.`)
  return folder
}
