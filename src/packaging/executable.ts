import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PublicKey } from '../lib/minisign/public-key.ts'
import type { BuildTarget } from './target.ts'

/** What an executable is made of beside the sources. */
export interface Ingredients {
  /** As `capture version --json` says it. */
  targetName: string
  /** `null`: Bun for this machine, the one that builds. */
  foreign: { target: BuildTarget; runtime: string } | null
  /** What the executable trusts for its successor. */
  publicKeys: readonly PublicKey[]
}

/**
 * Builds the program, its other threads, the SQL migrations and the demo site into one executable. The same sources and
 * the same Bun make the same bytes, wherever and whenever.
 *
 * Whitespace and names are left in: Elysia reads the source of its handlers, and with shortened names it no longer sees
 * that one asks for the server, without which every visitor has the same address. The executable must not pick up `.env`
 * or `bunfig.toml` from wherever an operator happens to stand.
 */
export async function buildExecutable(outfile: string, ingredients: Ingredients): Promise<void> {
  // The name that the compiler is given becomes a part of the executable, so it is always the same.
  const folder = await mkdtemp(join(dirname(outfile), '.building-'))
  try {
    await compile(join(folder, 'capture'), ingredients)
    await rename(join(folder, 'capture'), outfile)
  } finally {
    // With the source map in it: the executable carries its own copy.
    await rm(folder, { recursive: true })
  }
}

async function compile(outfile: string, { targetName, foreign, publicKeys }: Ingredients): Promise<void> {
  await Bun.build({
    entrypoints: [
      './src/main.ts',
      './src/storage/sqlite/commit/ledger-worker.ts',
      './src/storage/sqlite/https/keeper-worker.ts',
      './src/storage/sqlite/delivery/delivery-worker.ts',
      './src/cli/console/console-worker.ts',
    ],
    root: './src',
    target: 'bun',
    format: 'esm',
    bytecode: true,
    // So that a command loads what it needs of the program, and not all of it.
    splitting: true,
    minify: { syntax: true, identifiers: false, whitespace: false },
    sourcemap: 'linked',
    define: {
      'process.env.NODE_ENV': '"production"',
      CAPTURE_TARGET: JSON.stringify(targetName),
      CAPTURE_PUBLIC_KEYS: JSON.stringify(publicKeys.map(({ line }) => line).join('\n')),
    },
    compile: {
      outfile,
      ...(foreign === null ? {} : { target: foreign.target.compile, executablePath: foreign.runtime }),
      assets: ['./drizzle', './examples/demo'],
      // A smaller heap, collected sooner: half the memory under load, for about 2 % of the processor.
      execArgv: ['--smol'],
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
}
