import { resolve } from 'node:path'
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
    const { writeNewFile } = await import('../output/new-file.ts')
    const file = resolve(cwd, options.out)
    await writeNewFile(file, exampleConfig)
    return { json: { file }, text: `Every key, with its default, is in ${file}.` }
  },
})
