import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accountColour } from '../../src/console/look/shell.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

describe('the colour of an account', () => {
  const colourOf = (handle: string, colour: string | null) =>
    accountColour({ handle, settings: { brand: { colour, background: null } } } as never)

  test('is its own', () => {
    expect([colourOf('acme', '#9558a5'), colourOf('other', '#9558a5')]).toEqual(['#9558a5', '#9558a5'])
  })

  test.each(['#ffffff', '#000000'])('is moved away from %s, which is lost on one of the grounds', (colour) => {
    expect(colourOf('acme', colour)).not.toBe(colour)
  })

  test('is always the same one for an account that has none, and another for another', () => {
    expect(colourOf('acme', null)).toBe(colourOf('acme', null))
    expect(colourOf('acme', null)).not.toBe(colourOf('other', null))
  })
})

describe('the header', () => {
  let box: Box
  let owner: ConsoleVisitor
  beforeAll(async () => {
    const acme = aSite({ name: '<i>Acme</i>', brand: { colour: '#9558a5' } })
    box = await Box.start([acme, aSite({ account: 'other', name: 'Ötzi' })], { console: { listen: '127.0.0.1:0' } })
    owner = await ConsoleVisitor.owner(box)
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const switcherOf = (text: string) => /<nav id="accounts".*?<\/nav>/s.exec(text)?.[0] ?? ''

  test('has the account’s name, colour and initial, and the way to the others', async () => {
    const { text } = await owner.get('/a/acme')
    expect(text).toContain('fill="#9558a5"')
    expect(text).toContain('&lt;i&gt;Acme&lt;/i&gt;</span>')
    expect(text).toContain('>&lt;</text>')
    expect(switcherOf(text)).toContain('href="/a/other"')
    expect(switcherOf(text)).toContain('>Ö</text>')
    expect(switcherOf(text)).toContain('All accounts (2)')
    expect(switcherOf(text)).not.toContain('href="/a/acme"')
  })

  test('leads a user of one account nowhere else', async () => {
    const viewer = new ConsoleVisitor(box)
    const link = await ConsoleVisitor.invite(box, ['viewer@agency.example', '--account', 'acme', '--role', 'viewer'])
    await viewer.accept(link)
    const { text } = await viewer.get('/a/acme')
    expect(text).not.toContain('id="accounts"')
    expect(text).not.toContain('/a/other')
  })

  test('leads to the overview alone where there are more than one chooses from at a glance', async () => {
    for (let at = 0; at < 12; at++) await box.apply(aSite({ account: `many-${at}` }))
    const switcher = switcherOf((await owner.get('/a/acme')).text)
    expect(switcher).toContain('All accounts (14)')
    expect(switcher).not.toContain('href="/a/other"')
  })
})
