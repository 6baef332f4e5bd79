import { resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

export const configExample = defineCommand({
  name: 'config example',
  summary: 'Prints a configuration file that explains every key',
  details: `For a start; a file that is there already is left as it is:
  capture config example --out capture.toml
--json prints { "toml" }, with --out { "file" }.`,
  args: {},
  options: { out: { value: 'FILE', summary: 'write it to FILE, which must not be there yet' } },
  printsResult: true,
  async run({ options, json }, { out, cwd }) {
    const { exampleConfig } = await import('../../config/example.ts')
    if (options.out === undefined) {
      await out.write(json ? toJson({ toml: exampleConfig }) : exampleConfig)
      return 0
    }
    const { writeNewFile } = await import('../output/new-file.ts')
    const file = resolve(cwd, options.out)
    await writeNewFile(file, exampleConfig)
    await out.write(json ? toJson({ file }) : `${printable(`Every key, with its default, is in ${file}.`)}\n`)
    return 0
  },
})
