import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestPageParts } from './documents.ts'

const folder = join(import.meta.dir, '../../../gen/client/test-page')

/** The parts of the test page as its documents contain them. */
export async function bundleTestPage(): Promise<TestPageParts> {
  const [script, style, websiteStyle] = await Promise.all(
    ['main.ts', 'page.css', 'website.css'].map((name) => bundledForPage(join(import.meta.dir, name))),
  )
  if (!script || !style || !websiteStyle) throw new Error('The bundler wrote nothing.')
  // They are inside their elements and must not close them.
  if (/<\/(?:script|style)|<!--/i.test(script + style + websiteStyle)) throw new Error('A part would end its element.')
  return { script, style, websiteStyle }
}

/** Writes them to where `embedded.ts` takes them from. */
export async function writeTestPage(): Promise<void> {
  const { script, style, websiteStyle } = await bundleTestPage()
  await mkdir(folder, { recursive: true })
  await Bun.write(join(folder, 'main.js'), script)
  await Bun.write(join(folder, 'page.css'), style)
  await Bun.write(join(folder, 'website.css'), websiteStyle)
}

/** A script or style sheet of the box's own pages, without line breaks at its ends. @param file absolute */
export async function bundledForPage(file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [file],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  return ((await outputs[0]?.text()) ?? '').trim()
}
