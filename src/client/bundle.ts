import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { type Language, textsOf } from '../language/language.ts'
import { languages } from '../language/languages.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { TestPageParts } from './test-page/documents.ts'
import type { VisitorTexts } from './visitor-texts.ts'

/** The maximum size of each on the wire (docs/script.md). */
export const scriptGzipBytesMax = { 'v1.js': 3_000, 'f.js': 3_300, 'e.js': 3_000, 'u.js': 2_000 }
/** Of each script of the console: its own, and that of lists of leads. */
const consoleGzipBytesMax = 5_500
const settingsEditorGzipBytesMax = 100_000
export const scriptNames = ['v1.js', 'f.js', 'e.js', 'u.js'] as const

/** The oldest supported browsers; newer syntax is compiled away. */
const oldestBrowsers = ['safari14', 'chrome87', 'firefox78']

/** Where the built files are; each `embedded.ts` takes them from there. */
const builtFolder = join(import.meta.dir, '../../gen/client')
const folderOf = (module: string): string => dirname(Bun.resolveSync(`${module}/package.json`, import.meta.dir))
const altchaFolder = folderOf('altcha')

/** Every file that pages may load, by name. */
export async function bundleClient() {
  const notice = `/*!\nThe widget of ALTCHA (https://altcha.org)\n${await licence(altchaFolder, 'LICENSE.txt')}\n*/\n`
  return {
    // One classic script whose only global is `svc`.
    'v1.js': await bundled('main.ts', 'iife'),
    'f.js': await bundled('forms/main.ts', 'esm'),
    'e.js': await bundled('events/main.ts', 'esm'),
    'u.js': await bundled('files/main.ts', 'esm'),
    'b.js': await bundled('bot-check/main.ts', 'esm'),
    'altcha.js': notice + (await bundled('bot-check/altcha-element.ts', 'esm')),
    'altcha.css': notice + (await altchaStyle()),
    ...languageFiles(),
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
    plugins: [walkEventPath],
  })
  const [script] = outputFiles
  if (!script) throw new Error('The bundler wrote nothing.')
  return script.text.trim()
}

/** How Svelte, in ALTCHA's widget, finds an element's parent for each click and key on the page. */
const parentByProperty = `current_target.assignedSlot || current_target.parentNode || /** @type {any} */
      current_target.host || null`

/**
 * A field called `parentNode` hides that property of its form, so that Svelte would walk from one to the other for ever. The
 * event's own path names the same elements.
 */
const walkEventPath: Plugin = {
  name: 'walk-event-path',
  setup({ onLoad }) {
    onLoad({ filter: /\/altcha\/dist\/external\/altcha\.js$/ }, async ({ path }) => {
      const script = await Bun.file(path).text()
      if (!script.includes(parentByProperty)) throw new Error('ALTCHA’s widget finds parents in another way now.')
      return { contents: script.replace(parentByProperty, 'path[++path_idx] ?? null') }
    })
  },
}

const languageFiles = () =>
  Object.fromEntries(
    languages.map((language) => {
      const texts: VisitorTexts = textsOf(language).client
      return [`l/${language}.js`, `export const texts=${JSON.stringify(texts)}`]
    }),
  ) as Record<`l/${Language}.js`, string>

const licence = async (folder: string, name: string): Promise<string> =>
  (await Bun.file(join(folder, name)).text()).trim()

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

async function clientFiles(): Promise<string> {
  const files = await bundleClient()
  for (const name of scriptNames) assertSmall(name, files[name], scriptGzipBytesMax[name])
  return JSON.stringify(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, built(text)])))
}

/** The parts of the test page as its documents contain them. */
export async function bundleTestPage(): Promise<TestPageParts> {
  const [script = '', style = '', websiteStyle = ''] = await Promise.all(
    ['main.ts', 'page.css', 'website.css'].map((name) => bundledForPage(`test-page/${name}`)),
  )
  // They are inside their elements and must not close them.
  if (/<\/(?:script|style)|<!--/i.test(script + style + websiteStyle)) throw new Error('A part would end its element.')
  return { script, style, websiteStyle }
}

async function consoleScript(name: 'main' | 'leads'): Promise<string> {
  const script = await bundledForPage(`console/${name}.ts`)
  assertSmall(`console/${name}`, script, consoleGzipBytesMax)
  return script
}

/** Compressed, as it is served: the other scripts of the console are a twentieth of it. */
async function settingsEditor(): Promise<Uint8Array<ArrayBuffer>> {
  const notice = `/*!\nCodeMirror (https://codemirror.net)\n${await licence(folderOf('@codemirror/view'), 'LICENSE')}\n*/\n`
  const script = notice + (await bundledForPage('settings-editor/main.ts'))
  assertSmall('of the settings', script, settingsEditorGzipBytesMax)
  return Bun.gzipSync(script, { level: 9 })
}

/** A script or style sheet of the box's own pages, for present browsers, without line breaks at its ends. */
async function bundledForPage(file: string): Promise<string> {
  const entrypoints = [join(import.meta.dir, file)]
  const { outputs } = await Bun.build({ entrypoints, target: 'browser', format: 'iife', minify: true })
  const text = ((await outputs[0]?.text()) ?? '').trim()
  if (text === '') throw new Error('The bundler wrote nothing.')
  return text
}

function assertSmall(name: string, script: string, bytesMax: number): void {
  const bytes = gzipBytes(script)
  if (bytes > bytesMax)
    throw new OperatorError(`The browser script ${name} is ${bytes} bytes gzipped; at most ${bytesMax}.`)
}

if (import.meta.main) {
  const { script, style, websiteStyle } = await bundleTestPage()
  const files = {
    'files.json': await clientFiles(),
    'test-page/main.js': script,
    'test-page/page.css': style,
    'test-page/website.css': websiteStyle,
    'console/main.js': await consoleScript('main'),
    'console/leads.js': await consoleScript('leads'),
    'settings-editor/main.js.gz': await settingsEditor(),
  }
  for (const [name, content] of Object.entries(files)) await Bun.write(join(builtFolder, name), content)
}
