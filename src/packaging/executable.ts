import { readdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PublicKey } from '../lib/minisign.ts'
import { packedNotices } from '../release/built-in.ts'
import type { BuildTarget } from './runtimes.ts'

/** The program and its other threads. */
export const entrypoints: readonly string[] = [
  './src/main.ts',
  ...readdirSync('./src/cli/workers')
    .filter((name) => /-worker\.ts$/.test(name))
    .sort()
    .map((name) => `./src/cli/workers/${name}`),
]

/** The parts of an executable besides the sources. */
interface Ingredients {
  /** As printed by `capture version --json`. */
  targetName: string
  /** `null`: the Bun that runs this build. */
  foreign: { target: BuildTarget; runtime: string } | null
  /** Keys that the executable trusts for its successor. */
  publicKeys: readonly PublicKey[]
  /** What it contains of others, with their licences, for `capture version --notices`. */
  notices: string
}

/**
 * Builds the program, its other threads, the SQL migrations, the manual and the example folders into one executable. The same sources and
 * the same Bun make the same bytes anywhere.
 *
 * Whitespace and names are not minified: Elysia inspects the source of its handlers, and with shortened names it would not
 * pass them the server, without which every visitor has the same address. The executable must not read `.env` or
 * `bunfig.toml` from the working directory.
 */
export async function buildExecutable(outfile: string, ingredients: Ingredients): Promise<void> {
  // The output's name becomes part of the executable, so it is always the same.
  const folder = await mkdtemp(join(dirname(outfile), '.building-'))
  try {
    await compile(join(folder, 'capture'), ingredients)
    await rename(join(folder, 'capture'), outfile)
  } finally {
    // The folder has only the source map, of which the executable contains a copy.
    await rm(folder, { recursive: true })
  }
}

async function compile(outfile: string, { targetName, foreign, publicKeys, notices }: Ingredients): Promise<void> {
  await Bun.build({
    entrypoints: [...entrypoints],
    root: './src',
    target: 'bun',
    format: 'esm',
    bytecode: true,
    // Lets a command load only the modules that it needs.
    splitting: true,
    minify: { syntax: true, identifiers: false, whitespace: false },
    sourcemap: 'linked',
    define: {
      'process.env.NODE_ENV': '"production"',
      CAPTURE_TARGET: JSON.stringify(targetName),
      CAPTURE_PUBLIC_KEYS: JSON.stringify(publicKeys.map(({ line }) => line).join('\n')),
      CAPTURE_NOTICES: JSON.stringify(packedNotices(notices)),
    },
    compile: {
      outfile,
      ...(foreign === null ? {} : { target: foreign.target.compile, executablePath: foreign.runtime }),
      assets: ['./drizzle', './examples/demo', './examples/first-site', './docs'],
      // A smaller heap, collected earlier, halves the memory under load for about 2 % of the processor.
      execArgv: ['--smol'],
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
}
