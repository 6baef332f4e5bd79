import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'

export const configExample = defineCommand({
  name: 'config example',
  summary: 'Prints a configuration file that explains every key',
  details: 'For a start:\n  capture config example > capture.toml',
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, { out }) {
    const { exampleConfig } = await import('../config/example.ts')
    await out.write(json ? toJson({ toml: exampleConfig }) : exampleConfig)
    return 0
  },
})
