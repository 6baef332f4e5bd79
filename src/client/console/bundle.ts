import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { OperatorError } from '../../lib/operator-error.ts'
import { bundledForPage } from '../test-page/bundle.ts'

const builtFile = join(import.meta.dir, '../../../gen/client/console/main.js')
const gzipBytesMax = 5_000

/** Writes the console's script to where `embedded.ts` takes it from. */
export async function writeConsoleScript(): Promise<void> {
  const script = await bundledForPage(join(import.meta.dir, 'main.ts'))
  if (script === '') throw new Error('The bundler wrote nothing.')
  const bytes = gzipSync(script, { level: 9 }).length
  if (bytes > gzipBytesMax)
    throw new OperatorError(`The console's script has ${bytes} bytes gzipped; at most ${gzipBytesMax}.`)
  await mkdir(dirname(builtFile), { recursive: true })
  await Bun.write(builtFile, script)
}
