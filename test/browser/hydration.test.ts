// docs/script.md, "Forms": a framework that takes over the server's document finds it as it expects.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { build } from 'esbuild'
import { aForm, aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { World } from './harness/world.ts'

const contact = 'https://www.acme.test/contact'
const script = 'https://go.acme.test/_svc/v1.js'

const versions: Record<string, Record<string, string>> = {
  'React 18': { react: 'react-18', 'react-dom': 'react-dom-18' },
  'React 19': {},
}

/** What `page` renders, as a server sends it. */
const served = `<!DOCTYPE html><html lang="en"><head><title>Contact</title><script src="${script}" defer=""></script></head><body><main><form id="f" data-svc-form="contact1"><input name="email"/><div data-svc-bot-check=""></div><button>Send</button></form></main><p>Behind</p></body></html>`

/** Hydrates the whole document as soon as `hydrate()` is called. */
const page = `
  import { createElement as h } from 'react'
  import { hydrateRoot } from 'react-dom/client'
  const errors = []
  window.hydrate = () => new Promise((done) => {
    const form = h('form', { id: 'f', 'data-svc-form': 'contact1' }, h('input', { name: 'email' }), h('div', { 'data-svc-bot-check': '' }), h('button', null, 'Send'))
    const head = h('head', null, h('title', null, 'Contact'), h('script', { src: '${script}', defer: true }))
    const body = h('body', { ref: (element) => element && setTimeout(done, 0, errors) }, h('main', null, form), h('p', null, 'Behind'))
    hydrateRoot(document, h('html', { lang: 'en' }, head, body), { onRecoverableError: (error) => errors.push(String(error)) })
  })`

describe.skipIf(!hasChromium).each(Object.keys(versions))('a document that %s hydrates whole', (version) => {
  let world: World
  let framework: string

  beforeAll(async () => {
    world = await World.start([aSite({ forms: [aForm({ bot_check: 'on' })] })])
    const { outputFiles } = await build({
      stdin: { contents: page, resolveDir: import.meta.dir },
      alias: versions[version] ?? {},
      bundle: true,
      minify: true,
      define: { 'process.env.NODE_ENV': '"production"' },
      write: false,
    })
    framework = outputFiles[0]?.text ?? ''
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  test('after the script has prepared its form keeps what was typed and the bot check, and the form is sent', async () => {
    world.front.put(contact, served)
    const visitor = await world.visitor()
    const opened = await visitor.open(contact)
    await opened.getByRole('checkbox').waitFor()
    await opened.locator('[name=email]').fill('ada@example.test')
    await opened.addScriptTag({ content: framework })
    expect(await opened.evaluate(() => hydrate())).toEqual([])
    expect(await opened.locator('[name=email]').inputValue()).toBe('ada@example.test')
    await opened.getByRole('button').click()
    await opened.getByRole('status').getByText('Thank you').waitFor()
    const [sent] = world.front.seen('POST', '/_svc/f/')
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ email: 'ada@example.test', _hp: '' })
    expect(visitor.errors).toEqual([])
  })
})

declare const hydrate: () => Promise<string[]>
