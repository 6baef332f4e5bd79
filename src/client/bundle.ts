import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { OperatorError } from '../lib/operator-error.ts'
import { writeConsoleScript } from './console/bundle.ts'
import { type Language, languages } from './languages/texts.ts'
import { writeTestPage } from './test-page/bundle.ts'

/** The maximum size of each on the wire (docs/script.md). */
export const scriptGzipBytesMax = { 'v1.js': 3_000, 'f.js': 3_200, 'e.js': 3_000 }
export const scriptNames = ['v1.js', 'f.js', 'e.js'] as const

/** The oldest supported browsers; newer syntax is compiled away. */
const oldestBrowsers = ['safari14', 'chrome87', 'firefox78']

/** Where the built files are; `embedded.ts` takes them from there. */
const builtFilesPath = join(import.meta.dir, '../../gen/client/files.json')
const altchaFolder = dirname(Bun.resolveSync('altcha/package.json', import.meta.dir))

/** Every file that pages may load, by name. */
export async function bundleClient() {
  const notice = `/*!\nThe widget of ALTCHA (https://altcha.org)\n${await licence()}\n*/\n`
  return {
    // One classic script whose only global is `svc`.
    'v1.js': await bundled('main.ts', 'iife'),
    'f.js': await bundled('forms/main.ts', 'esm'),
    'e.js': await bundled('events/main.ts', 'esm'),
    'b.js': await bundled('bot-check/main.ts', 'esm'),
    'altcha.js': notice + (await bundled('bot-check/altcha-element.ts', 'esm')),
    'altcha.css': notice + (await altchaStyle()),
    ...(await bundledLanguages()),
    'v1.d.ts': await Bun.file(join(import.meta.dir, 'types/v1.d.ts')).text(),
  }
}

/** Bytes of a text as a server sends it at best. */
export const gzipBytes = (text: string): number => gzipSync(text, { level: 9 }).length

/** Bun's own bundler leaves newer syntax as it is. */
async function bundled(entrypoint: string, format: 'iife' | 'esm'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dir, entrypoint)],
    bundle: true,
    minify: true,
    platform: 'browser',
    format,
    target: oldestBrowsers,
    // Listed because these browsers lack only one use of it, calls with spread arguments: `call?.(...list)`.
    supported: { 'optional-chain': true },
    // TypeScript options of the tests or the box do not apply to browsers.
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    write: false,
  })
  const [script] = outputFiles
  if (!script) throw new Error('The bundler wrote nothing.')
  return script.text.trim()
}

async function bundledLanguages() {
  const files: [string, string][] = []
  for (const language of languages) files.push([`l/${language}.js`, await bundled(`languages/${language}.ts`, 'esm')])
  return Object.fromEntries(files) as Record<`l/${Language}.js`, string>
}

const licence = async (): Promise<string> => (await Bun.file(join(altchaFolder, 'LICENSE.txt')).text()).trim()

/** The tick covers the middle of its box and would take its clicks. */
const tickRule = '.altcha-checkbox svg{pointer-events:none}'

/** The widget is in a shadow root, where `:root` matches nothing. */
async function altchaStyle(): Promise<string> {
  const style = await Bun.file(join(altchaFolder, 'dist/external/altcha.css')).text()
  return style.replaceAll(':root{', ':host{') + tickRule
}

/** A file for browsers, compressed once by the build so that a box starts quickly. `gzip` and `br` are base64. */
function built(text: string) {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  return {
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    gzip: gzipSync(text, { level: 9 }).toString('base64'),
    br: brotliCompressSync(text, quality).toString('base64'),
  }
}

async function writeClient(): Promise<void> {
  const files = await bundleClient()
  for (const name of scriptNames) {
    const bytes = gzipBytes(files[name])
    const bytesMax = scriptGzipBytesMax[name]
    if (bytes > bytesMax)
      throw new OperatorError(`The browser script ${name} is ${bytes} bytes gzipped; at most ${bytesMax}.`)
  }
  const everyFile = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, built(text)]))
  await mkdir(dirname(builtFilesPath), { recursive: true })
  await Bun.write(builtFilesPath, JSON.stringify(everyFile))
}

if (import.meta.main) {
  await writeClient()
  await writeTestPage()
  await writeConsoleScript()
}
