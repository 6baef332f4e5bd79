// The pages on which a folder is published, and its settings edited.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { type ConsoleAnswer, ConsoleVisitor } from '../harness/console-visitor.ts'
import { becomesLive } from '../harness/publishing.ts'
import { zipOf } from '../harness/zips.ts'

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  box = await Box.start([aSite({ files: { 'pages/launch.html': '<p>Launch</p>' } })], {
    console: { listen: '127.0.0.1:0' },
  })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const siteToml = (account: string, more = ''): string =>
  `account = "${account}"\nname = "The ${account} studio"\ndomains = ["go.${account}.test"]\n${more}`

const upload = (visitor: ConsoleVisitor, path: string, files: Record<string, string>): Promise<ConsoleAnswer> => {
  const form = new FormData()
  form.append('files', new Blob([]), '')
  form.append('zip', new Blob([zipOf(files)]), 'site.zip')
  return visitor.sendForm(path, form)
}

/** The hidden fields of the form that publishes. */
const hidden = ({ text }: ConsoleAnswer): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

describe('a folder that was uploaded', () => {
  const files = { 'site.toml': siteToml('dropped'), 'pages/a.html': '<p>A</p>' }

  test('is planned, and published by its owner alone', async () => {
    const { status, headers } = await upload(owner, '/publish', files)
    const plan = headers.get('location') ?? ''
    expect([status, plan]).toEqual([303, expect.stringMatching(/^\/publish\?upload=/)])
    const page = await owner.get(plan)
    expect(page.text).toContain('page a')
    const other = await ConsoleVisitor.owner(box)
    expect((await other.send('POST', '/publish', hidden(page))).text).toContain('This upload is gone')
    // A browser shows the answer to the latest click.
    const clicks = await Promise.all([1, 2].map(() => owner.send('POST', '/publish', hidden(page))))
    for (const { text } of clicks)
      expect([text.includes('Published.'), text.includes('Tracking key')]).toEqual([true, true])
    const address = { method: 'GET', host: 'go.dropped.test', path: '/a', headers: {}, body: null }
    await becomesLive(box, address, { status: 200, text: '<p>A</p>' })
    expect((await owner.send('POST', '/publish', hidden(page))).text).toContain('Published.')
    expect((await owner.get(plan)).text).toContain('published already')
    const audited = await owner.get('/api/v1/audit?format=csv')
    const applies = audited.text
      .split('\n')
      .filter((line) => line.includes('account.apply') && line.includes('dropped'))
    expect(applies).toHaveLength(1)
  })

  test('is not published once the account has changed since its plan', async () => {
    const again = { ...files, 'pages/b.html': '<p>B</p>' }
    const { headers } = await upload(owner, '/a/dropped/publish', again)
    const plan = headers.get('location') ?? ''
    const page = await owner.get(plan)
    expect((await box.run(['page', 'unpublish', 'dropped', 'a'])).status).toBe(0)
    const refused = await owner.send('POST', '/a/dropped/publish', hidden(page))
    expect(refused.text).toContain('has changed since this plan was made')
    const anew = await owner.get(plan)
    expect(anew.text).not.toContain('This replaces changes that were made on the box.')
    const [, seen = ''] = /name="accept\.changed_here" value="([^"]+)" required/.exec(anew.text) ?? []
    expect((await owner.send('POST', '/a/dropped/publish', hidden(anew))).text).toContain('nobody has consented')
    const consent = { ...hidden(anew), 'accept.changed_here': seen }
    expect((await owner.send('POST', '/a/dropped/publish', consent)).text).toContain('Published.')
  })

  test('shows what was and what will be, with the text folded', async () => {
    const changed = { ...files, 'pages/a.html': '<p>A &amp; Z</p>' }
    const { headers } = await upload(owner, '/a/dropped/publish', changed)
    const { text } = await owner.get(headers.get('location') ?? '')
    expect(text).toContain('dropped: 1 change (1 changed)')
    expect(text).toContain('<dt>content</dt><dd><del>8 bytes</del> → <ins>16 bytes</ins><details><summary>')
    expect(text).toContain('<del>-&lt;p&gt;A&lt;/p&gt;\n</del>')
    expect(text).toContain('<ins>+&lt;p&gt;A &amp;amp; Z&lt;/p&gt;\n</ins>')
  })

  test('with faults shows them beside their lines', async () => {
    const { headers } = await upload(owner, '/publish', { 'site.toml': siteToml('bad', 'payload_limit = 1\n') })
    const { text } = await owner.get(headers.get('location') ?? '')
    expect(text).toContain('Line 4')
    expect(text).toContain('payload_limit = 1')
  })

  test('that is no zip is refused with a sentence', async () => {
    const form = new FormData()
    form.append('zip', new Blob(['nothing']), 'site.zip')
    expect((await owner.sendForm('/publish', form)).text).toContain('This is no zip')
  })

  test('is refused to a viewer before it is read', async () => {
    const viewer = new ConsoleVisitor(box)
    await viewer.accept(await ConsoleVisitor.invite(box, ['v@agency.example', '--account', 'acme', '--role', 'viewer']))
    expect((await upload(viewer, '/a/acme/publish', files)).status).toBe(403)
    expect((await upload(viewer, '/publish', files)).status).toBe(404)
  })

  test('stands in the history with who published it', async () => {
    const { text } = await owner.get('/a/dropped/publish')
    expect([text.includes('site.toml, page a'), text.includes('@agency.example')]).toEqual([true, true])
  })
})

describe('the settings', () => {
  const path = '/a/acme/settings'
  const textIn = ({ text }: ConsoleAnswer): string =>
    (/<textarea[^>]*>\n(.*?)<\/textarea>/s.exec(text)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

  test('show a fault at its line, and keep what was typed', async () => {
    const page = await owner.get(path)
    const faulty = `${textIn(page).replace('timezone', 'x')}`.replace(/^name = .*$/m, 'name = 5')
    const answer = await owner.send('POST', path, { ...hidden(page), text: faulty })
    const line = faulty.split('\n').indexOf('name = 5') + 1
    expect([answer.text.includes(`Line ${line}`), textIn(answer)]).toEqual([true, faulty])
  })

  test('are planned before they are saved', async () => {
    const page = await owner.get(path)
    const text = textIn(page).replace('The acme studio', 'Another name')
    // A browser sends the lines of a form with CR LF.
    const sent = text.replaceAll('\n', '\r\n')
    const planned = await owner.send('POST', path, { ...hidden(page), text: sent })
    expect([
      planned.text.includes('<del>The acme studio</del> → <ins>'),
      (await owner.get(path)).text.includes('Another name'),
    ]).toEqual([true, false])
    const saved = await owner.send('POST', path, { ...hidden(planned), text: sent })
    expect([saved.text.includes('Saved.'), textIn(await owner.get(path))]).toEqual([true, text])
  })

  test('show the secret that they have made, which no other page shows', async () => {
    const page = await owner.get(path)
    const more = '\n[[deliveries]]\nname = "crm"\nkind = "webhook"\nurl = "https://crm.example.test/in"\n'
    const text = `${textIn(page)}${more}`
    const planned = await owner.send('POST', path, { ...hidden(page), text })
    const saved = await owner.send('POST', path, { ...hidden(planned), text })
    expect(saved.text).toMatch(
      /Secret of the delivery crm, shown only once<.label><input [^>]*value="whsec_[\w+/=]{20,}/,
    )
  })

  test('of somebody else’s change in between are not overwritten', async () => {
    const page = await owner.get(path)
    const mine = textIn(page).replace('Another name', 'Mine')
    const theirs = textIn(page).replace('Another name', 'Theirs')
    const planned = await owner.send('POST', path, { ...hidden(page), text: theirs })
    await owner.send('POST', path, { ...hidden(planned), text: theirs })
    const refused = await owner.send('POST', path, { ...hidden(page), text: mine })
    expect([refused.text.includes('Somebody else has changed'), textIn(refused)]).toEqual([true, mine])
    expect(textIn(await owner.get(path))).toBe(theirs)
  })
})
