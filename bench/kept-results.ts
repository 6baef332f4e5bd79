import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchRun } from './bench-run.ts'
import type { BenchOptions } from './options.ts'
import type { BenchResults } from './report.ts'

export interface KeptResults {
  results: Omit<BenchResults, 'machine'>
  keep(): Promise<void>
}

/**
 * What runs for docs/performance.md have measured so far of the same program at the same scale: a run that was stopped
 * is gone on with behind its last whole section. Other runs begin with nothing and keep nothing.
 */
export async function openResults({ options, progress }: Pick<BenchRun, 'options' | 'progress'>): Promise<KeptResults> {
  const nothing = { surroundings: [], figures: {} }
  if (!options.write) return { results: nothing, keep: async () => {} }
  const file = await fileFor(options)
  const results: KeptResults['results'] = (await Bun.file(file).exists()) ? await Bun.file(file).json() : nothing
  progress(`figures are kept in ${file}: ${Object.keys(results.figures).join(', ') || 'none'} so far`)
  return {
    results,
    keep: async () => {
      await Bun.write(`${file}.new`, JSON.stringify(results))
      await rename(`${file}.new`, file)
    },
  }
}

async function fileFor(options: BenchOptions): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
    .update(await Bun.file(options.binary).bytes())
    .update(JSON.stringify({ ...options, sections: [] }))
  return join(options.workFolder, `capture-bench-${hash.digest('hex').slice(0, 16)}.json`)
}
