import manifest from '../../package.json' with { type: 'json' }
import { OperatorError } from '../lib/operator-error.ts'
import { builtFor, builtInNotices } from '../release/built-in.ts'
import { type CommandResult, defineCommand } from './command.ts'

/** Of the package, embedded when the executable is built. */
export const programVersion: string = manifest.version

export const version = defineCommand({
  name: 'version',
  summary: 'Says which version this is, and what it contains',
  options: { notices: { summary: 'print what the executable contains of others, with their licences' } },
  async run({ options }) {
    if (options.notices) return notices()
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

function notices(): CommandResult {
  const text = builtInNotices()
  if (text === null) throw new OperatorError('From source nothing is embedded: look into node_modules, or build first.')
  return { json: { notices: text }, text: () => text }
}
