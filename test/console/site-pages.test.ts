import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { becomesLive } from '../harness/publishing.ts'

let box: Box
let owner: ConsoleVisitor
const schema = {
  type: 'object',
  required: ['email', 'terms'],
  properties: {
    email: { type: 'string', format: 'email' },
    '"><b>x': { type: 'string' },
    plan: { enum: ['S', '<L>'] },
  },
}
const site = aSite({
  name: '<i>Acme</i>',
  forms: [aForm({ name: '<u>Contact</u>', schema }), aForm({ id: 'quiet001', registered: false })],
  files: {
    'pages/launch.html': '<p>one</p>',
    'pages/spring.html': '<p>spring</p>',
    'pages/coming.html': '<p>coming</p>',
  },
  timezone: 'Europe/Berlin',
  pages: [{ slug: 'coming', live_from: '2999-12-01 08:00' }],
  previews: ['pages/spring.html'],
})
beforeAll(async () => {
  const other = aSite({ account: 'other', forms: [], files: {} })
  box = await Box.start([site, other], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(() => box.stop())

const asRole = async (role: string): Promise<ConsoleVisitor> => {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(
    await ConsoleVisitor.invite(box, [`${role}@agency.example`, '--account', 'acme', '--role', role]),
  )
  return visitor
}

const page = (slug: string) => ({ method: 'GET', host: 'go.acme.test', path: `/${slug}`, headers: {}, body: null })

/** What a form of a page sends along of the page that was read. */
const seen = (text: string): string => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** The value of a field to copy from. */
const copied = (text: string, id: string): string => {
  const [, value = '', content = ''] = new RegExp(`id="${id}"[^>]*?(?: value="([^"]*)"|>\\n?([^<]*)<)`).exec(text) ?? []
  return (value || content)
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

test.each(['/a/acme/pages', '/a/acme/pages/launch', '/a/acme/forms', '/a/acme/links'])(
  '%s holds nothing as markup that was configured',
  async (path) => {
    const { status, text } = await owner.get(path)
    expect(status).toBe(200)
    for (const markup of ['<i>Acme', '<u>Contact', '<b>x', '<L>']) expect(text).not.toContain(markup)
  },
)

test.each(['pages', 'forms'])('an account without %s is told what fills the page', async (what) => {
  const { text } = await owner.get(`/a/other/${what}`)
  expect(text).toContain(`No ${what.slice(0, -1)} yet`)
})

describe('a page’s page', () => {
  const path = '/a/acme/pages/spring'

  test('publishes and takes back, and tells who did so', async () => {
    const before = await owner.get(path)
    expect((await owner.send('POST', path, { do: 'publish', seen: seen(before.text) })).status).toBe(303)
    await becomesLive(box, page('spring'), { status: 200, text: '<p>spring</p>' })
    const published = (await owner.get(path)).text
    expect(published).toMatch(/Version 2.*?by hand, by owner-\w+@agency\.example, in the console/s)
    for (const [shown, word] of [
      [before.text, 'latest'],
      [published, 'current'],
    ] as const)
      expect(shown).toMatch(new RegExp(`Version \\d</strong> <span class="mark \\w+">${word}`))
    expect(copied(published, 'site-toml')).toBe('[[pages]]\nslug = "spring"\nstate = "live"')
    await owner.send('POST', path, { do: 'unpublish', seen: seen(published) })
    await becomesLive(box, page('spring'), { status: 404 })
    const { stdout } = await box.run(['page', 'history', 'acme', 'spring', '--json'])
    expect(JSON.parse(stdout).versions).toMatchObject([{ state: 'preview' }, { state: 'live' }, { state: 'preview' }])
    expect((await owner.get(path)).text).not.toContain('id="site-toml"')
    expect((await owner.get('/audit?q=page.unpublish')).text).toContain('spring')
    const listed = (await owner.get('/a/acme/pages?q=spring')).text
    expect(listed).toContain('<th class="number">Views in 30 days</th>')
    expect(listed).toContain('<span class="mark plain">preview</span>')
    expect(listed).toMatch(/<tbody>.*<time /s)
  })

  test('says when visitors see it, and publishes it before that', async () => {
    const path = '/a/acme/pages/coming'
    const { text } = await owner.get(path)
    for (const shown of [text, (await owner.get('/a/acme/pages')).text])
      expect(shown).toContain('live from 1 Dec 2999, 08:00')
    expect(text).toMatch(/Shown from <time datetime="[^"]+">1 Dec 2999, 08:00<\/time>/)
    expect(text).toContain('Visitors cannot see it. Once live: go.acme.test/coming')
    expect(text).toContain('">Uploaded ')
    expect(text).not.toContain('">Published ')
    expect((await owner.get('/a/acme/pages?q=coming')).text).not.toMatch(/<tbody>.*<time/s)
    await owner.send('POST', path, { do: 'publish', seen: seen(text) })
    await becomesLive(box, page('coming'), { status: 200, text: '<p>coming</p>' })
    expect((await owner.get(path)).text).toContain('">Published ')
    expect(copied((await owner.get(path)).text, 'site-toml')).toBe('[[pages]]\nslug = "coming"\nstate = "live"')
  })

  test('rolls back to the version whose button was pressed', async () => {
    await box.apply({ ...site, files: { ...site.files, 'pages/launch.html': '<p>two</p>' } })
    const { text } = await owner.get('/a/acme/pages/launch')
    expect(text).toContain('name="to" value="1"')
    expect(text).not.toContain('name="to" value="2"')
    await owner.send('POST', '/a/acme/pages/launch', { do: 'rollback', to: '1', seen: seen(text) })
    await becomesLive(box, page('launch'), { status: 200, text: '<p>one</p>' })
    expect((await owner.get('/a/acme/pages/launch')).text).toContain('put the content of version 3 into')
  })

  test('changes nothing that was changed by somebody else meanwhile', async () => {
    const before = seen((await owner.get(path)).text)
    expect((await box.run(['page', 'publish', 'acme', 'spring'])).status).toBe(0)
    const late = await owner.send('POST', path, { do: 'unpublish', seen: before })
    expect(late.text).toContain('Somebody has changed spring')
    await becomesLive(box, page('spring'), { status: 200 })
  })

  test('makes a preview address of one version that anybody can open', async () => {
    const { text } = await owner.send('POST', path, { do: 'preview', version: '1', hours: '24' })
    const { hostname, pathname, search } = new URL(copied(text, 'preview'))
    expect(Number(new URLSearchParams(search).get('exp')) - Date.now() / 1000).toBeGreaterThan(23 * 3600)
    const opened = await box.send({ method: 'GET', host: hostname, path: pathname + search, headers: {}, body: null })
    expect([opened.status, opened.text]).toEqual([200, '<p>spring</p>'])
  })

  test('shows a viewer the versions, and takes no order from one', async () => {
    const viewer = await asRole('viewer')
    const { text } = await viewer.get(path)
    expect(text).toContain('Version 1')
    expect(text).not.toContain('<button name="do"')
    expect((await viewer.send('POST', path, { do: 'publish', seen: seen(text) })).status).toBe(403)
    expect((await viewer.get('/a/acme/links')).status).toBe(403)
    expect((await viewer.get('/a/acme')).text).not.toContain('/a/acme/links')
  })

  test('that is not there says so', async () => {
    expect((await owner.get('/a/acme/pages/nothing')).status).toBe(404)
    expect((await owner.send('POST', path, { do: 'something' })).status).toBe(404)
  })

  test('may show frames of the preview host alone, and no other page any', async () => {
    const policy = async (of: string) => (await owner.get(of)).headers.get('content-security-policy')
    expect(await policy(path)).toEndWith(`; frame-src http://preview.localhost:${box.port}`)
    expect(await policy('/a/acme/pages')).not.toContain('frame-src')
  })
})

describe('the page of links', () => {
  const to = 'http://go.acme.test/launch'

  test('signs a link that leads on', async () => {
    const { text } = await owner.send('POST', '/a/acme/links', {
      links: to,
      message: 'news',
      email: '',
      domain: '',
    })
    const { hostname, pathname } = new URL(copied(text, 'signed'))
    const answer = await box.send({ method: 'GET', host: hostname, path: pathname, headers: {}, body: null })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
  })

  test('opens what is rarely needed once somebody has filled it in', async () => {
    expect((await owner.get('/a/acme/links')).text).toContain('<details class="more"><summary>For one recipient')
    const { text } = await owner.send('POST', '/a/acme/links', { links: to, email: 'nobody' })
    expect(text).toContain('<details class="more" open><summary>For one recipient')
    expect(text).toContain('aria-invalid="true"')
  })

  test('rewrites a mail, counts its links, and names those that it left', async () => {
    const html = `<a href="${to}">on</a><b>&amp;</b><a href="tel:1">call</a>`
    const { text } = await owner.send('POST', '/a/acme/links', { links: html })
    expect(text).toContain('1 link changed, 1 link not changed')
    expect(copied(text, 'rewritten').replace(`:${box.port}/`, ':PORT/')).toMatch(
      /^<a href="http:\/\/go\.acme\.test:PORT\/_svc\/c\/\S+">on<\/a><b>&amp;<\/b><a href="tel:1">/,
    )
    expect(text).toContain('tel:1</td>')
  })

  test('says what is wrong, and keeps what was typed', async () => {
    const { text } = await owner.send('POST', '/a/acme/links', {
      links: 'https://elsewhere.test/"',
      message: 'my-news',
    })
    expect(text).toContain('would refuse to lead to')
    expect(text).toContain('https://elsewhere.test/&quot;</textarea>')
    expect(text).toContain('value="my-news"')
  })

  test('takes a long mail, and says so of one that is too long', async () => {
    const long = await owner.send('POST', '/a/acme/links', { links: '<p>é</p>'.repeat(50_000) })
    expect(long.text).toContain('0 links changed')
    const tooLong = await owner.send('POST', '/a/acme/links', { links: 'x'.repeat(1_600_000) })
    expect([tooLong.status, tooLong.text.includes('Too large')]).toEqual([413, true])
  })
})

describe('the page of a form', () => {
  const formPage = async (id: string) => (await owner.get(`/a/acme/forms/${id}`)).text

  test('has HTML to paste with a field for each of the schema', async () => {
    expect(copied(await formPage('contact1'), 'html-contact1')).toBe(`<form data-svc-form="contact1" method="post">
  <label>Email <input type="email" name="email" required></label>
  <label>&quot;&gt;&lt;b&gt;x <input name="&quot;&gt;&lt;b&gt;x"></label>
  <label>Plan <select name="plan"><option>S</option><option>&lt;L&gt;</option></select></label>
  <button>Send</button>
</form>
<script src="http://go.acme.test:${box.port}/_svc/v1.js" defer></script>`)
  })

  test('has a box to tick for consent, lines for a message, and the field of a browser for an address', async () => {
    const properties = {
      email: { type: 'string' },
      message: { type: 'string' },
      comment: { type: 'string', maxLength: 80 },
      biography: { type: 'string', maxLength: 201 },
      consent: { type: 'string' },
      privacy: { type: 'string', enum: ['read & accepted'] },
    }
    await box.apply(aSite({ account: 'fields', forms: [aForm({ schema: { type: 'object', properties } })] }))
    const { text } = await owner.get('/a/fields/forms/contact1')
    expect(copied(text, 'html-contact1')).toContain(`
  <label>Email <input type="email" name="email"></label>
  <label>Message <textarea name="message"></textarea></label>
  <label>Comment <input name="comment"></label>
  <label>Biography <textarea name="biography"></textarea></label>
  <label><input type="checkbox" name="consent" value="yes"> Consent</label>
  <label><input type="checkbox" name="privacy" value="read &amp; accepted"> Privacy</label>
`)
  })

  test('says in words what visitors enter into each field', async () => {
    const text = await formPage('contact1')
    expect(text).toContain('<div>Email<span class="soft">: required, must be an email address</span></div>')
    expect(text).toContain('<div>Plan<span class="soft">: S or &lt;L&gt;</span></div>')
    expect(text).toContain('<div>Terms<span class="soft">: required</span></div>')
    expect(text).toContain(
      '<tr><th scope="row">Bot check</th><td class="value"><span class="soft">off</span></td></tr>',
    )
    expect(text).toContain('<tr><th scope="row">Hidden field against bots</th><td class="value">on</td></tr>')
  })

  test('leads whoever may publish to the line of its rules', async () => {
    const line = 'settings?key=forms.contact1#site-toml">change them in Settings</a>'
    expect(await formPage('contact1')).toContain(line)
    expect((await (await asRole('viewer')).get('/a/acme/forms/contact1')).text).not.toContain('change them')
  })

  test('leads back to all forms', async () => {
    expect(await formPage('contact1')).toContain('<a href="/a/acme/forms">')
  })

  test('has none for a form that takes nothing', async () => {
    const text = await formPage('quiet001')
    expect(text).not.toContain('html-quiet001')
    expect(text).toMatch(/<strong>This form is closed\.<\/strong> Visitors cannot send it\..*<p class="lead">/s)
    expect(text).toContain('<button name="value" value="quiet001">Reopen</button>')
  })

  test('says when the last submission came, and folds its HTML away from then on', async () => {
    const last = async () => /Last submission<\/dt><dd>(.*?)<\/dd>/s.exec(await formPage('contact1'))?.[1] ?? ''
    expect(await last()).toContain('none yet')
    const folded = '<summary>HTML for your page</summary>'
    expect(await formPage('contact1')).not.toContain(folded)
    await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
    expect(await last()).toContain('<time')
    expect(await formPage('contact1')).toContain(folded)
  })

  test('that is not there says so', async () => {
    expect((await owner.get('/a/acme/forms/nothing1')).status).toBe(404)
  })
})

describe('the page of forms', () => {
  test('says how many leads each form brought', async () => {
    await box.send(formRequest({ fields: { email: 'ben@example.test' } }))
    const { text } = await owner.get('/a/acme/forms')
    const leadsOf = (id: string) => new RegExp(`href="/a/acme\\?form=${id}">(\\d+)<`).exec(text)?.[1]
    expect(Number(leadsOf('contact1'))).toBeGreaterThan(0)
    expect(text).toMatch(/quiet001.*?<span class="soft">0<\/span>/s)
  })

  test('shows the only form of an account at once', async () => {
    await box.apply(aSite({ account: 'single', forms: [aForm()], files: {} }))
    const single = (await owner.get('/a/single/forms')).text
    expect(single).toContain('id="html-contact1"')
    expect(single).toMatch(/<h1[^>]*>Form contact1</)
  })

  test('leads to the test page', async () => {
    const { text } = await owner.get('/a/acme/forms')
    const [, url = ''] = /href="([^"]+_preview\/test[^"]+)"/.exec(text) ?? []
    const { hostname, pathname, search } = new URL(url.replaceAll('&amp;', '&'))
    const opened = await box.send({ method: 'GET', host: hostname, path: pathname + search, headers: {}, body: null })
    expect(opened.status).toBe(200)
  })
})

test('as many forms as there may be come in parts, none of which is a large page', async () => {
  const properties = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`field-${at}`, { type: 'string' }]))
  const many = Array.from({ length: 40 }, (_, at) =>
    aForm({ id: `many${String(at).padStart(4, '0')}`, schema: { type: 'object', properties } }),
  )
  await box.apply(aSite({ account: 'crowded', forms: many }))
  const seenIds: string[] = []
  for (let path: string | null = '/a/crowded/forms'; path !== null; ) {
    const { text }: { text: string } = await owner.get(path)
    expect(text.length).toBeLessThan(100_000)
    seenIds.push(...[...text.matchAll(/crowded\/forms\/(\w+)"/g)].map(([, id = '']) => id))
    path = /href="(\/a\/crowded\/forms\?cursor=[^"]+)"/.exec(text)?.[1] ?? null
  }
  expect(seenIds).toEqual(many.map(({ id }) => id))
})
