import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'

/** Contract section 7: at most this much on the wire. */
export const scriptGzipBytesMax = 3_000

/** Where the built script lies; `embedded.ts` takes it from there. */
export const scriptPath = join(import.meta.dir, '../../gen/client/v1.js')

/** The browser script as one classic script that leaves no name behind but `svc`. */
export async function bundleScript(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'main.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  const [script] = outputs
  if (!script) throw new Error('The bundler wrote nothing.')
  return (await script.text()).trim()
}

/** Bytes of the script as a server at its best sends them. */
export const gzipBytes = (script: string): number => Bun.gzipSync(Buffer.from(script), { level: 9 }).length

async function writeScript(): Promise<void> {
  const script = await bundleScript()
  if (gzipBytes(script) > scriptGzipBytesMax) {
    throw new OperatorError(`The browser script is ${gzipBytes(script)} bytes gzipped; at most ${scriptGzipBytesMax}.`)
  }
  await mkdir(dirname(scriptPath), { recursive: true })
  await Bun.write(scriptPath, script)
}

if (import.meta.main) await writeScript()
