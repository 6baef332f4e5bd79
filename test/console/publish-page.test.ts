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

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The hidden fields of the form that publishes. */
const hidden = ({ text }: ConsoleAnswer): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']) => [
      name,
      unescaped(value),
    ]),
  )

/** @returns what the sender reads once it is published */
async function published(path: string, files: Record<string, string>): Promise<string> {
  const { headers } = await upload(owner, path, files)
  return (await owner.send('POST', path, hidden(await owner.get(headers.get('location') ?? '')))).text
}

test('the tag to paste has the minted key once a page carries it', async () => {
  const files = { 'site.toml': siteToml('keyed') }
  const [key = ''] = /svc_tk_\w+/.exec(await published('/publish', files)) ?? []
  expect((await owner.get('/a/keyed/settings')).text).not.toContain('data-site-key')
  const page = `<p>svc_tk_${'x'.repeat(32)} <script data-site-key="${key}"></script>`
  await published('/a/keyed/publish', { ...files, 'pages/a.html': page })
  expect((await owner.get('/a/keyed/settings')).text).toContain(`data-site-key=&quot;${key}&quot;`)
})

describe('a folder that was uploaded', () => {
  const files = { 'site.toml': siteToml('dropped'), 'pages/a.html': '<p>A</p>' }

  test('is planned, and published by its owner alone', async () => {
    const { status, headers } = await upload(owner, '/publish', files)
    const plan = headers.get('location') ?? ''
    expect([status, plan]).toEqual([303, expect.stringMatching(/^\/publish\?upload=/)])
    const page = await owner.get(plan)
    expect(page.text).toContain('Page</span> a')
    expect(page.text).toMatch(/<strong>\d changes: all new\.<\/strong>/)
    const other = await ConsoleVisitor.owner(box)
    expect((await other.send('POST', '/publish', hidden(page))).text).toContain('This upload is gone')
    // A browser shows the answer to the latest click.
    const clicks = await Promise.all([1, 2].map(() => owner.send('POST', '/publish', hidden(page))))
    for (const { text } of clicks)
      expect([text.includes('Visitors see it now.'), text.includes('Tracking key')]).toEqual([true, true])
    const address = { method: 'GET', host: 'go.dropped.test', path: '/a', headers: {}, body: null }
    await becomesLive(box, address, { status: 200, text: '<p>A</p>' })
    expect((await owner.send('POST', '/publish', hidden(page))).text).toContain('Visitors see it now.')
    expect((await owner.get(plan)).text).toContain('published already')
    const audited = await owner.get('/api/v1/audit?format=csv')
    const applies = audited.text
      .split('\n')
      .filter((line) => line.includes('account.apply') && line.includes('dropped'))
    expect(applies).toHaveLength(1)
  })

  test('is not published once the account has changed since its plan', async () => {
    const again = { ...files, 'pages/b.html': '<img src="../img/none.png">' }
    const { headers } = await upload(owner, '/a/dropped/publish', again)
    const plan = headers.get('location') ?? ''
    const page = await owner.get(plan)
    expect((await box.run(['page', 'unpublish', 'dropped', 'a'])).status).toBe(0)
    const refused = await owner.send('POST', '/a/dropped/publish', hidden(page))
    expect(refused.text).toContain('has changed since this plan was made')
    const anew = await owner.get(plan)
    expect(anew.text).not.toContain('This replaces changes that were made on the box.')
    const [, seen = ''] = /name="accept\.changed_here" value="([^"]+)" required/.exec(anew.text) ?? []
    const parts = ['>New<', '>Before you publish<', '>1 warning<', 'name="accept.changed_here"', '<button>Publish']
    const inOrder = parts.map((part) => anew.text.indexOf(part))
    expect(inOrder).not.toContain(-1)
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other))
    expect(anew.text).toContain('Undo the change that was made on the box')
    expect((await owner.send('POST', '/a/dropped/publish', hidden(anew))).text).toContain('nobody has consented')
    const consent = { ...hidden(anew), 'accept.changed_here': seen }
    expect((await owner.send('POST', '/a/dropped/publish', consent)).text).toContain('Visitors see it now.')
    const same = await upload(owner, '/a/dropped/publish', again)
    const { text } = await owner.get(same.headers.get('location') ?? '')
    expect(text).toMatch(/Nothing to change.*>1 warning</s)
    expect(text).not.toContain('Before you publish')
  })

  test('shows what was and what will be, with the text folded', async () => {
    const changed = { ...files, 'pages/a.html': '<p>A &amp; Z</p>' }
    const { headers } = await upload(owner, '/a/dropped/publish', changed)
    const { text } = await owner.get(headers.get('location') ?? '')
    expect(text).toContain('<strong>1 changed page.</strong>')
    expect(text).toContain('<dt title="content">Content</dt><dd><details><summary>')
    expect(text).toContain('<del>-&lt;p&gt;A&lt;/p&gt;\n</del>')
    expect(text).toContain('<ins>+&lt;p&gt;A &amp;amp; Z&lt;/p&gt;\n</ins>')
  })

  test('is told in full once it is published: the addresses, what changed, and the way back', async () => {
    const changed = { ...files, 'pages/a.html': '<p>Again</p>', 'pages/c.html': '<p>C</p>' }
    const text = await published('/a/dropped/publish', changed)
    expect(text).toMatch(/<a href="[^"]+go\.dropped\.test[^"]*\/c"[^>]*>[^<]+<\/a> <span class="mark good">new</)
    expect(text).toMatch(/<p class="page-acts"><a class="button" href="[^"]+\/a"[^>]*>Open \/a</)
    expect(text).toContain('Page</span> <a href="/a/dropped/pages/c">c</a>')
    expect(text).toContain('Roll changed pages back to an earlier version: <a href="/a/dropped/pages/a">/a</a>')
  })

  test('with faults shows them beside their lines', async () => {
    const { headers } = await upload(owner, '/publish', { 'site.toml': siteToml('bad', 'payload_limit = 1\n') })
    const { text } = await owner.get(headers.get('location') ?? '')
    expect(text).toContain('Line 4')
    expect(text).toContain('<strong>1 mistake in <code>site.toml</code>.</strong> Nothing was changed.')
    expect(text).toContain('<code>payload_limit</code>: ')
    expect(text).toContain('payload_limit = 1')
  })

  test('with faults in entries of lists names these, not their numbers', async () => {
    const entries =
      '[[forms]]\nid = "contact1"\nname = "Ask us"\ncolour = 1\n[[splits]]\npage = "a"\nvariants = [{ name = "b", page = "b", share = 0 }]\n'
    const { headers } = await upload(owner, '/publish', { 'site.toml': siteToml('bad', `ignore = ["x"]\n${entries}`) })
    const { text } = await owner.get(headers.get('location') ?? '')
    expect(text).toContain('<code>colour</code> in <code>[[forms]]</code> “Ask us”: no such setting')
    expect(text).toContain('<code>share</code> in <code>[[splits.variants]]</code> “b”: must be an integer from 1')
    expect(text).toContain('<code>ignore</code>: must be an IP address')
    expect(text).not.toContain('[0]')
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
    expect(text).toContain('<a href="/a/dropped/settings">site.toml</a>, <a href="/a/dropped/pages/a">page a</a>')
    expect(text).toContain('@agency.example')
  })
})

describe('a first folder that the box writes', () => {
  const asked = { name: 'Müller & Söhne', domain: 'go.mueller.test' }

  test('is planned and published like any other', async () => {
    const { headers } = await owner.send('POST', '/publish', { ...asked, first: 'plan' })
    const page = await owner.get(headers.get('location') ?? '')
    expect([page.text.includes('Page</span> launch'), page.text.includes('go.mueller.test')]).toEqual([true, true])
    expect(page.text).toContain('<h1>New account: Müller &amp; Söhne</h1>')
    expect(page.text).toContain('Visitors see it on <strong>go.mueller.test</strong> once you publish')
    expect(page.text).toContain('<button>Create and publish</button>')
    expect(page.text).toContain('<p class="back"><a href="/publish">New account</a></p>')
    const done = (await owner.send('POST', '/publish', hidden(page))).text
    expect(done).toContain('Visitors see it now.')
    expect(done).toContain('Move new pages back to preview: <a href="/a/muller-sohne/pages/launch">/launch</a>')
    const { text } = await owner.get('/a/muller-sohne/settings')
    expect(text).toContain('Müller &amp; Söhne')
  })

  test('is offered as a zip', async () => {
    const { status, headers, text } = await owner.send('POST', '/publish', { ...asked, first: 'download' })
    expect([status, headers.get('content-type'), text.includes('pages/launch.html')]).toEqual([
      200,
      'application/zip',
      true,
    ])
  })

  test.each([
    ['a name that would end its text', { name: 'Acme "Studio"' }, 'id="name"', 'without quotation marks'],
    ['an address for a domain', { domain: 'https://go.acme.test/' }, 'id="domain"', 'without http'],
  ])('is refused %s, at its field and with all that was typed', async (_, typed, field, said) => {
    const { status, text } = await owner.send('POST', '/publish', { ...asked, ...typed, first: 'plan' })
    const [beside = ''] = text.split(field).slice(1)
    expect([status, beside.split('</div>')[0]?.includes(said)]).toEqual([422, true])
    expect(text).toContain(`value="${Object.hasOwn(typed, 'name') ? asked.domain : 'Müller &amp; Söhne'}"`)
  })
})

describe('the settings', () => {
  const path = '/a/acme/settings'
  const textIn = ({ text }: ConsoleAnswer): string =>
    unescaped(/<textarea[^>]*>\n(.*?)<\/textarea>/s.exec(text)?.[1] ?? '')

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
    expect([saved.text.includes('Saved and published.'), textIn(await owner.get(path))]).toEqual([true, text])
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

  describe('that somebody else has changed in between', () => {
    const saveBy = async (visitor: ConsoleVisitor, change: (text: string) => string): Promise<void> => {
      const page = await visitor.get(path)
      const text = change(textIn(page))
      const planned = await visitor.send('POST', path, { ...hidden(page), text })
      expect((await visitor.send('POST', path, { ...hidden(planned), text })).text).toContain('Saved and published.')
    }
    const named = (name: string) => (text: string) => text.replace(/^name = ".*"$/m, `name = "${name}"`)

    test('are not overwritten: the page says who changed what, beside what was typed', async () => {
      const page = await owner.get(path)
      const colleague = new ConsoleVisitor(box)
      const link = await ConsoleVisitor.invite(box, ['eve@agency.example', '--account', 'acme', '--role', 'editor'])
      await colleague.accept(link)
      await saveBy(colleague, named('Theirs'))
      const refused = await owner.send('POST', path, { ...hidden(page), text: named('Mine')(textIn(page)) })
      expect([refused.status, textIn(refused)]).toEqual([409, named('Mine')(textIn(page))])
      const [theirs = '', yours = ''] = refused.text.split('<h2>Your change</h2>')
      expect(theirs).toMatch(/eve@agency\.example<\/strong> in the console, <time/)
      expect(theirs).toContain('<ins>+name = &quot;Theirs&quot;\n</ins>')
      expect(yours).toContain('<ins>+name = &quot;Mine&quot;\n</ins>')
      expect(yours).toContain('As it is on the box now')
      expect(textIn(await owner.get(path))).toContain('name = "Theirs"')
      const planned = await owner.send('POST', path, { ...hidden(refused), text: textIn(refused) })
      expect(planned.text).toContain('<del>Theirs</del> → <ins>Mine</ins>')
    })

    test('are given back with both changes where these fit together', async () => {
      const page = await owner.get(path)
      await saveBy(owner, (text) => `${text}\n[retention]\nevents = "90d"\n`)
      const mine = named('Both')(textIn(page))
      const { text } = await owner.send('POST', path, { ...hidden(page), text: mine })
      const merged = textIn({ text } as ConsoleAnswer)
      expect([merged.includes('name = "Both"'), merged.includes('events = "90d"')]).toEqual([true, true])
    })
  })

  test('are one page with the tracking key, to which the earlier addresses lead', async () => {
    const { text } = await owner.get(path)
    expect(
      ['>Edit site.toml<', 'id="tracking-key"', 'What clients see', 'Handle and id'].filter(
        (part) => !text.includes(part),
      ),
    ).toEqual([])
    const led = await Promise.all(['account', 'keys'].map((last) => owner.get(`/a/acme/${last}`)))
    expect(led.map(({ headers }) => headers.get('location'))).toEqual([path, `${path}#tracking-key`])
  })

  test('let an editor change site.toml, and not the tracking key', async () => {
    const editor = new ConsoleVisitor(box)
    const link = await ConsoleVisitor.invite(box, ['ed@agency.example', '--account', 'acme', '--role', 'editor'])
    await editor.accept(link)
    for (const fields of [{ act: 'rotate' }, { act: 'revoke', sure: '1' }, { act: 'clients', personal: 'show' }])
      expect((await editor.send('POST', path, fields)).status).toBe(403)
    const page = await editor.get(path)
    expect((await editor.send('POST', path, { ...hidden(page), text: textIn(page) })).status).toBe(200)
  })
})
