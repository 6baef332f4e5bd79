import { rm } from 'node:fs/promises'

/**
 * Builds `./capture`, or the file that is named: the program, its writing thread, the SQL migrations and the demo
 * site in one executable.
 *
 * Whitespace and names are left in: Elysia reads the source of its handlers, and with shortened names it no longer sees
 * that one asks for the server, without which every visitor has the same address. The executable must not pick up `.env`
 * or `bunfig.toml` from wherever an operator happens to stand.
 */
async function build(outfile: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: ['./src/main.ts', './src/cli/ledger-worker.ts'],
    root: './src',
    target: 'bun',
    format: 'esm',
    bytecode: true,
    // So that a command loads what it needs of the program, and not all of it.
    splitting: true,
    minify: { syntax: true, identifiers: false, whitespace: false },
    sourcemap: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: {
      outfile,
      assets: ['./drizzle', './examples/demo'],
      // A smaller heap, collected sooner: half the memory under load, for about 2 % of the processor.
      execArgv: ['--smol'],
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  await removeSourceMaps(result.outputs.map((output) => output.path))
}

/** The executable carries its own copy; the files beside it serve nobody. */
async function removeSourceMaps(paths: string[]): Promise<void> {
  for (const path of paths.filter((path) => path.endsWith('.map'))) await rm(path, { force: true })
}

await build(process.argv[2] ?? './capture')
