// The ticks without which the console publishes nothing that takes something away from visitors.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { type ConsoleAnswer, ConsoleVisitor } from '../harness/console-visitor.ts'
import { becomesLive } from '../harness/publishing.ts'
import { visit } from '../harness/visits.ts'
import { zipOf } from '../harness/zips.ts'

const hosts = ['go.acme.test', 'old.acme.test']
let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start(
    [aSite({ domains: hosts, files: { 'pages/launch.html': 'launch', 'pages/stays.html': 'stays' } })],
    {
      console: { listen: '127.0.0.1:0' },
    },
  )
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const siteToml = (domains: string[]): string =>
  `account = "acme"\nname = "The acme studio"\ndomains = ${JSON.stringify(domains)}\n`

const hidden = ({ text }: ConsoleAnswer): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

const ticks = ({ text }: ConsoleAnswer): Record<string, string> =>
  Object.fromEntries(
    Array.from(
      text.matchAll(/type="checkbox" name="(accept\.\w+)" value="([^"]+)" required/g),
      ([, name = '', value = '']) => [name, value],
    ),
  )
const ticksOf = (page: ConsoleAnswer): string[] => Object.keys(ticks(page)).map((name) => name.slice('accept.'.length))

async function planned(files: Record<string, string>): Promise<ConsoleAnswer> {
  const form = new FormData()
  form.append('files', new Blob([]), '')
  form.append('zip', new Blob([zipOf(files)]), 'site.zip')
  const { headers } = await owner.sendForm('/a/acme/publish', form)
  return owner.get(`${headers.get('location')}&prune=1`)
}

const statusOf = async (path: string, host = 'go.acme.test'): Promise<number> =>
  (await box.send(visit(path, { host }))).status

describe('a folder that takes something away', () => {
  const files = { 'site.toml': siteToml(['go.acme.test']), 'pages/stays.html': 'stays' }

  test('is published once each kind of harm was ticked', async () => {
    const page = await planned(files)
    expect(ticksOf(page)).toEqual(['domain_offline', 'page_offline'])
    expect(page.text).toContain('<strong>go.acme.test/launch</strong>')
    expect(page.text).toContain('> Take go.acme.test/launch off the site</label>')
    expect(page.text).toContain('<a class="fault" href="#consent">2 need your consent.</a>')
    expect(page.text).toMatch(/<fieldset class="note bad" id="consent">.*<button>Publish .*Tick each box above\./s)
    const { 'accept.domain_offline': _, ...tooFew } = ticks(page)
    for (const ticked of [{}, tooFew]) {
      const refused = await owner.send('POST', '/a/acme/publish', { ...hidden(page), ...ticked })
      expect(refused.text).toContain('nobody has consented')
    }
    expect([await statusOf('/launch'), await statusOf('/stays', 'old.acme.test')]).toEqual([200, 200])
    expect((await owner.send('POST', '/a/acme/publish', { ...hidden(page), ...ticks(page) })).text).toContain(
      'Visitors see it now.',
    )
    await becomesLive(box, visit('/launch'), { status: 404 })
  })

  test('asks for no tick where the next one changes what the one before changed', async () => {
    const again = await planned({ ...files, 'pages/stays.html': 'changed again' })
    expect(ticksOf(again)).toEqual([])
    expect((await owner.send('POST', '/a/acme/publish', hidden(again))).text).toContain('Visitors see it now.')
    expect(again.text).not.toContain('your consent')
    expect(again.text).not.toContain('above.</span>')
  })
})

describe('settings that take something away', () => {
  const path = '/a/acme/settings'

  test('are saved once that was ticked, and are no change that a later edit undoes', async () => {
    const add = { text: siteToml(['go.acme.test', 'new.acme.test']) }
    const adding = await owner.send('POST', path, { ...hidden(await owner.get(path)), ...add })
    expect([ticksOf(adding), (await owner.send('POST', path, { ...hidden(adding), ...add })).status]).toEqual([[], 200])
    const drop = { text: siteToml(['new.acme.test']) }
    const dropping = await owner.send('POST', path, { ...hidden(await owner.get(path)), ...drop })
    expect(ticksOf(dropping)).toEqual(['domain_offline'])
    expect((await owner.send('POST', path, { ...hidden(dropping), ...drop })).text).toContain('nobody has consented')
    expect(await statusOf('/stays')).toBe(200)
    const otherHarm = { 'accept.domain_offline': `domain_offline:${'0'.repeat(32)}` }
    const refused = await owner.send('POST', path, { ...hidden(dropping), ...drop, ...otherHarm })
    expect(refused.text).toContain('nobody has consented')
    expect((await owner.send('POST', path, { ...hidden(dropping), ...drop, ...ticks(dropping) })).text).toContain(
      'Saved and published.',
    )
  })
})
