// Takes the console's pictures in docs/pictures, light and dark, of the demo with its made-up fortnight: `bun run pictures`.
import { join } from 'node:path'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { sharedReach } from './harness/chromium.ts'
import { startDemo } from './harness/demo.ts'

const folder = join(import.meta.dir, '../../docs/pictures')
const bytesMax = 120_000
const views = [
  { name: 'overview', path: '/' },
  { name: 'inbox', path: '/a/demo' },
  { name: 'report', path: '/a/demo/report' },
  { name: 'persons', path: '/a/demo/persons' },
] as const

const demo = await startDemo()
try {
  const [, link = ''] = await demo.program.says('stdout', /Console +(\S+)/)
  const { origin, port } = new URL(link)
  const owner = new ConsoleVisitor({ consolePort: Number(port) })
  await owner.accept(link)
  await eventually('all made-up records are processed', async () => {
    const { text } = await owner.get('/api/v1/accounts/demo/report')
    return JSON.parse(text).waiting === 0
  })
  const [name = '', value = ''] = owner.cookie.split('=')
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await demo.browser.newContext({ colorScheme, viewport: { width: 1080, height: 640 } })
    await context.addCookies([{ name, value, url: origin }])
    const page = await context.newPage()
    for (const view of views) {
      await page.goto(origin + view.path, { waitUntil: 'networkidle' })
      await page.locator('.out span').evaluate((shown) => {
        shown.textContent = 'you@agency.example'
      })
      const picture = await page.screenshot({ animations: 'disabled' })
      if (picture.length > bytesMax)
        throw new Error(`${view.name} (${colorScheme}) has ${picture.length} bytes, more than ${bytesMax}`)
      await Bun.write(join(folder, `${view.name}-${colorScheme}.png`), picture)
    }
    await context.close()
  }
} finally {
  await demo.stop()
  await (await sharedReach())[Symbol.asyncDispose]()
}
