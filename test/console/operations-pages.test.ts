import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'

const hostile = '<script>alert(1)</script>\u202e"><img src=x onerror=alert(2)>'

let box: Box
let owner: ConsoleVisitor
let viewer: ConsoleVisitor
let client: ConsoleVisitor
let receiver: Receiver
beforeAll(async () => {
  receiver = new Receiver({ answer: () => new Response(hostile, { status: 500 }) })
  const deliveries = [
    { name: 'aaa', kind: 'webhook', url: receiver.url('/well') },
    { name: 'crm', kind: 'webhook', url: receiver.url() },
  ]
  const files = { 'pages/offer.html': '<p>Offer</p>' }
  const acme = aSite({ deliveries, domains: ['go.acme.test', 'www.acme-studio.dev'], files })
  box = await Box.start([acme, aSite({ account: 'local', domains: ['127.0.0.1'] }), aSite({ account: 'named' })], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
    https: {
      mode: 'files',
      folder: './certificates',
      addresses: ['203.0.113.7'],
      listen: '127.0.0.1:0',
      http_listen: '',
    },
  })
  owner = await ConsoleVisitor.owner(box)
  viewer = await asUser('viewer')
  client = await asUser('client')
  receiver.answer = ({ path }) => (path === '/well' ? new Response('ok') : new Response(hostile, { status: 500 }))
  await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
  await box.send(formRequest({ headers: { origin: 'https://new.acme.test' } }))
  await box.send(formRequest({ headers: { origin: `https://${hostile.slice(0, 25)}.example` } }))
  await eventually('the receivers have answered', async () => {
    const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/deliveries')).text)
    return items.length === 2 && items.every(({ attempts }: { attempts: number }) => attempts > 0)
  })
  await eventually('refusals are counted', async () =>
    (await owner.get('/a/acme/refusals')).text.includes('new.acme.test'),
  )
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await receiver[Symbol.asyncDispose]()
})

async function asUser(role: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(
    await ConsoleVisitor.invite(box, [`${role}@agency.example`, '--account', 'acme', '--role', role]),
  )
  return visitor
}

const paths = ['deliveries', 'domains', 'refusals', 'settings']
const act = (path: string, fields: Record<string, string>, visitor = owner) =>
  visitor.send('POST', `/a/acme/${path}`, fields)
const destination = async (name: string) =>
  JSON.parse((await owner.get(`/api/v1/accounts/acme/destinations?q=${name}`)).text).items[0]

describe('who may', () => {
  test.each(paths)('%s is read by viewers, and neither read nor linked for clients', async (path) => {
    expect((await viewer.get(`/a/acme/${path}`)).status).toBe(200)
    expect(await client.get(`/a/acme/${path}`)).toMatchObject({
      status: 403,
      text: expect.stringMatching(/ask your agency\..*href="\/a\/acme\/report">Back to Report</),
    })
    expect((await client.get('/a/acme')).text).not.toContain(`/a/acme/${path}`)
  })

  test('a client who is refused reads the addresses of the account’s admins, and no owner’s', async () => {
    await asUser('admin')
    const { text } = await client.get('/a/acme/deliveries')
    expect(text.match(/(?<=mailto:)[^"]+/g)).toEqual(['admin@agency.example'])
  })

  test.each([
    ['deliveries', { act: 'pause', destination: 'crm' }],
    ['domains', { host: 'go.acme.test' }],
    ['settings', { act: 'revoke', sure: '1' }],
  ])('%s is changed by no viewer, who sees no button for it', async (path, fields) => {
    expect((await act(path, fields, viewer)).status).toBe(403)
    expect((await viewer.get(`/a/acme/${path}`)).text).not.toMatch(/<main.*method="post"/s)
    expect((await owner.get(`/a/acme/${path}`)).text).toMatch(/<main.*method="post"/s)
  })
})

/** What stands in the card of a destination. */
const cardOf = (name: string, text: string): string =>
  text.split('<li class="place').find((part) => part.includes(`<h2>${name} `)) ?? ''

describe('the page of deliveries', () => {
  test('has destinations that fail before those that do not', async () => {
    const { text } = await owner.get('/a/acme/deliveries')
    expect(text).toContain('<p class="verdict bad"><strong>1 failing, 1 working</strong></p>')
    expect(cardOf('crm', text)).toMatch(
      /Every try has failed since <time[^>]*>[^<]*<\/time>: <bdi>answered 500<\/bdi>\./,
    )
    expect(text.indexOf('<h2>crm')).toBeGreaterThan(0)
    expect(text.indexOf('<h2>crm')).toBeLessThan(text.indexOf('<h2>aaa'))
  })

  test('says why a destination fails from the part of the log that it shows, and searches no other', async () => {
    const { text } = await owner.get('/a/acme/deliveries?state=delivered')
    expect(cardOf('crm', text)).toMatch(/Every try has failed since <time[^>]*>[^<]*<\/time>\. /)
  })

  test('shows what a receiver answered as text', async () => {
    const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/deliveries?q=crm')).text)
    for (const page of [
      await owner.get(`/a/acme/deliveries/${items[0].id}`),
      await act('deliveries', { act: 'test', destination: 'crm' }),
    ]) {
      expect(page.text).toContain('&lt;script&gt;alert(1)')
      expect(page.text).not.toContain('<script>alert')
      // It would turn the text behind it around.
      expect(page.text).not.toContain('\u202e')
    }
  })

  test('begins the result of a test with what came of it, and folds the exchange away', async () => {
    const [failed, taken] = [
      await act('deliveries', { act: 'test', destination: 'crm' }),
      await act('deliveries', { act: 'test', destination: 'aaa' }),
    ]
    expect(failed.text).toMatch(
      /<p><strong>The test at <time[^>]*>\d\d:\d\d<\/time> failed\.<\/strong> <bdi>The receiver answered 500/,
    )
    expect(failed.text).toContain('<details><summary>What was sent and answered</summary><pre')
    expect(cardOf('crm', failed.text)).toMatch(/<button name="act" value="test">Send another test/)
    expect(cardOf('crm', failed.text)).toContain('<button class="second" name="act" value="retry">Try again now')
    expect(cardOf('crm', failed.text)).toMatch(/<p>\d+ deliver(y waits|ies wait)\./)
    expect(cardOf('crm', failed.text)).not.toContain('Every try has failed')
    expect(cardOf('aaa', taken.text)).toMatch(
      /<strong>The test at <time[^>]*>\d\d:\d\d<\/time> went through\.<\/strong>/,
    )
  })

  test('says of a delivery whose tries have failed that it is tried again, under a tab of that name', async () => {
    const { text } = await owner.get('/a/acme/deliveries?state=waiting')
    expect(text).toContain('<span class="mark doubtful">retrying</span>')
    expect(text).toMatch(/aria-current="\w+"[^>]*>Waiting or retrying</)
  })

  test('offers admins on the lead itself to try the failed one again, and nothing for the delivered one', async () => {
    const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/deliveries?q=crm')).text)
    const path = `/a/acme/s/${items[0].submissionId}`
    const { text } = await owner.get(path)
    expect(text.match(/Try again now/g)).toHaveLength(1)
    expect(text).toContain(`name="delivery" value="${items[0].id}">Try again now<span class="unseen"> crm</span>`)
    const tried = await owner.send('POST', path, { do: 'retry', delivery: items[0].id })
    expect([tried.status, tried.headers.get('location')]).toEqual([303, path])
    expect((await owner.get('/api/v1/audit?q=delivery.retry&limit=1')).text).toContain(items[0].id)
    const editor = await asUser('editor')
    expect((await editor.get(path)).text).not.toContain('Try again now')
    expect((await editor.send('POST', path, { do: 'retry', delivery: items[0].id })).status).toBe(403)
  })

  test('pauses, resumes and tries again', async () => {
    expect((await act('deliveries', { act: 'pause', destination: 'crm' })).status).toBe(303)
    expect(await destination('crm')).toMatchObject({ paused: true })
    expect((await act('deliveries', { act: 'retry', destination: 'crm' })).status).toBe(303)
    expect((await act('deliveries', { act: 'resume', destination: 'crm' })).status).toBe(303)
    expect(await destination('crm')).toMatchObject({ paused: false })
  })

  test('shows a new secret once', async () => {
    const [secret = ''] =
      /whsec_[\w+/=]+/.exec((await act('deliveries', { act: 'secret', destination: 'aaa' })).text) ?? []
    expect(secret).not.toBe('')
    expect((await owner.get('/a/acme/deliveries')).text).not.toContain(secret)
  })

  test('finds deliveries by state and words, and offers them as CSV', async () => {
    const { text } = await owner.get('/a/acme/deliveries?state=delivered&q=aaa')
    expect(text.match(/<tbody>/g)).toHaveLength(1)
    expect(text).toContain('/api/v1/accounts/acme/deliveries?format=csv&amp;limit=1000&amp;state=delivered&amp;q=aaa')
    expect((await owner.get('/a/acme/deliveries?q=nowhere')).text).toContain('Nothing found.')
  })

  test('leads nowhere for an id or a destination that is not there', async () => {
    expect((await owner.get('/a/acme/deliveries/0190b7a0-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await act('deliveries', { act: 'pause', destination: 'nowhere' })).status).toBe(404)
  })
})

describe('the page of domains', () => {
  test('says the state of each, and the records to set', async () => {
    const { text } = await owner.get('/a/acme/domains')
    expect(text).not.toContain('is not ready')
    expect(text).toContain('www.acme-studio.dev <span class="mark doubtful">needs a certificate</span></h2>')
    expect(text).toContain('not in public DNS')
    expect(text).toMatch(/<code class="wrap" id="A-www\.acme-studio\.dev">203\.0\.113\.7<\/code>/)
    expect(text).toMatch(/<details open><summary>DNS records<span class="unseen"> of www\.acme-studio\.dev/)
  })

  test('has a field for another', async () => {
    expect((await owner.get('/a/acme/domains')).text).toContain('<a class="button" href="?new=1">Connect a domain</a>')
    const { text } = await owner.get('/a/acme/domains?new=1')
    expect(text).toMatch(/name="change" value="domain">.*<input id="domain" name="value"/s)
    expect((await viewer.get('/a/acme/domains?new=1')).text).not.toContain('name="change"')
  })

  test('asks first for a look at the one that is not ready', async () => {
    const { text } = await owner.get('/a/acme/domains')
    expect(text).toContain('<button name="host" value="www.acme-studio.dev">Check now')
  })

  test('tells an owner alone where a certificate belongs', async () => {
    const where = 'www.acme-studio.dev.crt'
    expect((await owner.get('/a/acme/domains')).text).toContain(`data-copy="${where}"`)
    const { text } = await viewer.get('/a/acme/domains')
    expect(text).not.toContain(where)
    expect(text).toContain('An owner of this box has to add its certificate.')
  })

  test.each([
    ['local', '127.0.0.1'],
    ['named', 'go.named.test'],
  ])('that the internet does not reach begins with the field: %s', async (account, domain) => {
    const { text } = await owner.get(`/a/${account}/domains`)
    expect(text).toContain(`Nobody on the internet reaches your pages under ${domain}.`)
    expect(text).toContain('<input id="domain" name="value"')
    expect(text.match(/Connect a domain</g)).toHaveLength(1)
  })

  test('looks at a name of the account at once, and at no other', async () => {
    expect((await act('domains', { host: 'go.acme.test' })).text).toContain('Checked go.acme.test just now')
    expect((await act('domains', { host: 'elsewhere.example' })).status).toBe(404)
  })
})

describe('the page of refusals', () => {
  test('says how often, when, and what became of it', async () => {
    const { text } = await owner.get('/a/acme/refusals?days=7')
    expect(text).toMatch(/<h2>\d+ submissions? from <bdi>https:\/\/new\.acme\.test<\/bdi> refused<\/h2>/)
    expect(text).toContain('sites that it allows may send. What was entered is not kept.</p>')
    expect(text).toContain('allow it: what visitors send from it arrives from then on.')
  })

  test('calls what was posted without the script a submission', async () => {
    await box.send({ method: 'POST', host: 'go.acme.test', path: '/offer', headers: {}, body: 'email=ada' })
    const shown = async () => (await owner.get('/a/acme/refusals')).text
    await eventually('it is counted', async () => (await shown()).includes('<h2>1 submission refused</h2>'))
    expect(await shown()).toMatch(/<p>A form posted without the script\.<\/p>\s*<p>[^<]*nothing was stored/)
  })

  test('folds what the hidden field stopped', async () => {
    await box.send(formRequest({ fields: { email: 'robot@example.test', _hp: 'filled' } }))
    await eventually('it is counted', async () =>
      (await owner.get('/a/acme/refusals')).text.includes(
        '<summary>1 submission stopped by the hidden field, most likely of a bot</summary>',
      ),
    )
  })

  test('shows an origin that somebody made up as text, without a button', async () => {
    const { text } = await owner.get('/a/acme/refusals')
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toContain('<script>alert')
    expect(text.match(/name="change"/g)).toHaveLength(1)
  })
})

test('a click link that leads nowhere has a notice of its own', async () => {
  const { text } = await act('links', { links: 'https://go.acme.test/nowhere' })
  expect(text).toMatch(/<div class="note good".*<div class="note doubtful"><p><strong>1 link leads nowhere\./s)
})

describe('a setting', () => {
  test('leads to its line, where the text opens', async () => {
    const { text } = await owner.get('/a/acme/settings')
    const [, line = ''] =
      /<a href="\?line=(\d+)#site-toml">[^<]+<span class="unseen">, Name: line \d+ of site.toml</.exec(text) ?? []
    const opened = (await owner.get(`/a/acme/settings?line=${line}`)).text
    expect(opened).toContain(`data-line="${line}"`)
    expect(opened).toMatch(/<details class="folded edit" open><summary>Edit site.toml/)
    const [, siteToml = ''] = /<textarea id="text"[^>]*>\n([^<]*)/.exec(opened) ?? []
    expect(siteToml.split('\n')[Number(line) - 1]).toStartWith('name = ')
  })

  test('that is a default leads to where it belongs', async () => {
    const { text } = await owner.get('/a/acme/settings')
    expect(text).toMatch(
      /<a href="\?key=home#site-toml">none<span class="unseen">, Home page: add it to site\.toml<\/span><\/a> <span class="hint">default</,
    )
  })

  test('of a destination leads to the entry of that destination', async () => {
    const { text } = await owner.get('/a/acme/settings')
    const lines = [
      ...text.matchAll(/line=(\d+)#site-toml">[^<]+<span class="unseen">, Webhooks and chats: line \d+ of site.toml</g),
    ]
    const [, siteToml = ''] = /<textarea id="text"[^>]*>\n([^<]*)/.exec(text) ?? []
    const entries = lines.map(([, line]) =>
      siteToml
        .split('\n')
        .slice(Number(line) - 1)
        .join('\n'),
    )
    const names = entries.map((entry) => /^name = (?:&quot;|")(\w+)/m.exec(entry)?.[1])
    expect(names).toEqual(['aaa', 'crm'])
  })
})

describe('the tracking key in the settings', () => {
  test('stands in the tag where site.toml has it', async () => {
    const { text } = await owner.get('/a/acme/settings')
    expect(text).toContain(`data-site-key=&quot;${trackingKeyOf('acme')}&quot;`)
  })

  test('shows a new key once, with the tag that carries it', async () => {
    const { text } = await act('settings', { act: 'rotate', overlap: '7' })
    const [key = ''] = /svc_tk_\w+/.exec(text) ?? []
    expect(text).toContain(`data-site-key=&quot;${key}&quot;`)
    const after = (await owner.get('/a/acme/settings')).text
    expect(after).not.toContain(key)
    expect(after).toContain('until')
    // The box has its fingerprint alone, and no tag without a key.
    expect(after).not.toContain('data-site-key')
  })

  test('revokes only what somebody is sure of', async () => {
    await act('settings', { act: 'revoke' })
    expect((await owner.get('/a/acme/settings')).text).toContain('valid')
    await act('settings', { act: 'revoke', sure: '1' })
    expect((await owner.get('/a/acme/settings')).text).toContain('No key is valid')
  })
})

test('an account with more than a page holds is cut, and has the rest as CSV', async () => {
  const deliveries = Array.from({ length: 60 }, (_, at) => ({
    name: `hook-${at}`,
    kind: 'webhook',
    url: `${receiver.url('/well')}?${'x'.repeat(400)}`,
  }))
  const origins = Array.from({ length: 30 }, (_, at) => `https://${'long-name-'.repeat(5)}${at}.example`)
  await box.apply(aSite({ account: 'many', deliveries, origins }))
  const strangers = Array.from({ length: 12 }, (_, at) => ({ origin: `https://stranger-${at}.example` }))
  await eventually('the account is served', async () => {
    const { status } = await box.send(
      formRequest({ account: 'many', headers: { origin: 'https://stranger-0.example' } }),
    )
    return status === 403
  })
  for (const headers of strangers) await box.send(formRequest({ account: 'many', headers }))
  await eventually('the refusals are counted', async () =>
    (await owner.get('/a/many/refusals')).text.includes('stranger-11'),
  )
  const refusals = (await owner.get('/a/many/refusals')).text
  expect(refusals.match(/name="change" value="origin"/g)).toHaveLength(12)
  const page = (await owner.get('/a/many/deliveries')).text
  expect(page).toContain('The CSV has 20 more destinations')
  expect([Buffer.byteLength(page) < 100_000, Buffer.byteLength(refusals) < 100_000]).toEqual([true, true])
})

test('no page comes near 100 KB', async () => {
  for (const path of paths) {
    const { text } = await owner.get(`/a/acme/${path}`)
    expect([path, Buffer.byteLength(text) < 50_000]).toEqual([path, true])
  }
})
