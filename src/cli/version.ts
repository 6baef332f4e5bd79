import manifest from '../../package.json' with { type: 'json' }
import { builtFor } from '../release/built-for.ts'
import { defineCommand } from './command.ts'
import { toJson } from './output/json.ts'

/** Of the package, embedded when the executable is built. */
export const programVersion: string = manifest.version

export const version = defineCommand({
  name: 'version',
  summary: 'Says which version this is, and of what it is made',
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, { out }) {
    const versions = {
      capture: programVersion,
      bun: Bun.version,
      sqlite: process.versions.sqlite ?? 'unknown',
      target: builtFor,
    }
    await out.write(
      json
        ? toJson(versions)
        : `capture ${versions.capture} (${versions.target ?? 'from source'}, Bun ${versions.bun}, SQLite ${versions.sqlite})\n`,
    )
    return 0
  },
})
