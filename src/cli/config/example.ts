import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const configExample = defineCommand({
  name: 'config example',
  summary: 'Prints a configuration file that explains every key',
  details: `For a start; a file that is there already is left as it is:
  capture config example --out capture.toml
--json prints { "toml" }, with --out { "file" }.`,
  options: { out: { value: 'FILE', summary: 'write it to FILE, which must not be there yet' } },
  async run({ options }, { cwd }) {
    const { exampleConfig } = await import('../../config/example.ts')
    if (options.out === undefined) return { json: { toml: exampleConfig }, text: () => exampleConfig }
    const file = resolve(cwd, options.out)
    await writeNewFile(file, exampleConfig)
    return { json: { file }, text: `Every key, with its default, is in ${file}.` }
  },
})

/** @throws OperatorError when the file exists or cannot be written */
async function writeNewFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new OperatorError(`${path} already exists and was not changed. Name another file.`)
    if (code === 'ENOENT') throw new OperatorError(`Cannot write ${path}: there is no folder ${dirname(path)}.`)
    throw new OperatorError(`Cannot write ${path}: ${message}.`)
  }
}
