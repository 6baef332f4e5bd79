import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A thread's code in one file, for the tests of this file: each thread would otherwise compile hundreds of sources anew. */
export async function bundledWorker(source: URL): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'capture-worker-'))
  afterAll(() => rmSync(outdir, { recursive: true, force: true }))
  const entrypoints = [Bun.fileURLToPath(source)]
  const { outputs } = await Bun.build({ entrypoints, target: 'bun', sourcemap: 'inline', outdir })
  return outputs[0]?.path ?? ''
}
