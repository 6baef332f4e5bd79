import manifest from '../../package.json' with { type: 'json' }
import { builtFor } from '../release/built-for.ts'
import { defineCommand } from './command.ts'

/** Of the package, embedded when the executable is built. */
export const programVersion: string = manifest.version

export const version = defineCommand({
  name: 'version',
  summary: 'Says which version this is, and of what it is made',
  async run() {
    const versions = {
      capture: programVersion,
      bun: Bun.version,
      sqlite: process.versions.sqlite ?? 'unknown',
      target: builtFor,
    }
    const { capture, bun, sqlite, target } = versions
    return { json: versions, text: `capture ${capture} (${target ?? 'from source'}, Bun ${bun}, SQLite ${sqlite})` }
  },
})
