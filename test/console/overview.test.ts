import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { health, leads } from '../../src/console/page/box/overview-page.ts'
import { derivedId } from '../../src/lib/id.ts'
import { warning } from '../../src/operations/check-result.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

interface Failing {
  name: string
  failingSince: string | null
}

const refused = 12
const dayMs = 86_400_000

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  const mail = { name: 'sales', kind: 'mail', to: ['sales@agency.example'] }
  const deliveries = [{ name: 'crm', kind: 'webhook', url: 'https://127.0.0.1:1025/hook' }, mail]
  const sites = [aSite({ deliveries, name: 'Acme & <b>Sons</b>' }), aSite({ account: 'other', deliveries: [mail] })]
  box = await Box.start(sites, {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
  })
  owner = await ConsoleVisitor.owner(box)
  for (const name of ['ada', 'grace']) await box.send(formRequest({ fields: { email: `${name}@example.test` } }))
  const stranger = { origin: 'https://new.acme.test' }
  for (let sent = 0; sent < refused; sent++) await box.send(formRequest({ headers: stranger }))
  await eventually('all of it is known', async () => {
    const { text } = await owner.get('/')
    return text.includes('<dd>2</dd>') && text.includes('has failed since') && text.includes(`${refused} requests`)
  })
}, boxStartMsMax)
afterAll(() => box.stop())

const asUser = async (role: string, account: string): Promise<ConsoleVisitor> => {
  const visitor = new ConsoleVisitor(box)
  const email = `${role}-of-${account}@agency.example`
  await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', account, '--role', role]))
  return visitor
}

describe('the overview', () => {
  test('shows the leads of thirty days with their change, those of today, the latest one, and the health of each account', async () => {
    const { text } = await owner.get('/')
    const row = /<li class="place"><h3><a href="\/a\/acme">.*?<\/li>/s.exec(text)?.[0] ?? ''
    expect(row).toContain('<dt>Today</dt><dd>2<')
    expect(row).toContain('<dt>Leads in 30 days</dt><dd>2<')
    expect(row).toContain('aria-label="Leads a day: at most 2, today 2"')
    // The line of whole days ends yesterday; dashes lead on to the dot that stands for today.
    expect(row).toMatch(/ 28,8"\/><polyline class="open" points="28,8 29,0"\/><path d="M29 0h0"/)
    expect(row).toMatch(/<a href="#attention"><span class="mark bad">1 failing</)
    expect(text).toContain('<h2 id="attention">')
    expect(row).toMatch(/<time datetime="[^"]+" title="\d+ \w+ \d{4}, \d\d:\d\d UTC">(just now|\d+ minutes? ago)</)
    expect(text).toMatch(
      /<a href="\/a\/other">(?:(?!<\/li>|leads-line).)*<p>No leads yet\.<br><a href="\/a\/other">See how to get the first<\/a><\/p><\/li>/s,
    )
    expect(row).toContain('Acme &amp; &lt;b&gt;Sons')
  })

  test('compares leads with the days before only where the account was there for all of them', () => {
    const now = Date.UTC(2026, 10, 22)
    const shown = (ageDays: number) => leads({ id: derivedId(now - ageDays * dayMs, 'acme'), byDay }, now).text
    const byDay = [...Array<number>(59).fill(0), 3]
    expect(shown(59)).toBe('3')
    expect(shown(60)).toContain('3 more')
  })

  test('leads from what needs attention to where it is mended', async () => {
    const { text } = await owner.get('/')
    expect(text).toMatch(
      /"?crm&quot; of Acme &amp; &lt;b&gt;Sons&lt;\/b&gt; has failed since [^<]*<\/p><a href="\/a\/acme\/deliveries">Check deliveries</,
    )
    expect(text).toMatch(
      /12 requests of Acme &amp; &lt;b&gt;Sons&lt;\/b&gt; were refused[^<]*<\/p><a href="\/a\/acme\/refusals">Check refusals</,
    )
  })

  test('counts for an account each notice that names it, also those of the last examination', async () => {
    await owner.get('/box')
    await eventually('the box is examined', async () =>
      (await owner.get('/')).text.includes('The other studio should get mail, but this box sends none.'),
    )
    const { text } = await owner.get('/')
    const [, toLookAt] = /<h3><a href="\/a\/other">.*?(\d+) to look at/s.exec(text) ?? []
    const notices = [...text.matchAll(/<li class="place .*?<\/li>/gs)].filter(([notice]) => /\bother\b/.test(notice))
    expect(Number(toLookAt)).toBe(notices.length)
  })

  test('names what waits because the box sends no mail in the notice about mail alone', async () => {
    await eventually('the mail was tried', async () => {
      const { items } = JSON.parse((await owner.get('/api/v1/accounts/acme/destinations')).text)
      return items.some(({ name, failingSince }: Failing) => name === 'sales' && failingSince !== null)
    })
    const { checks } = JSON.parse((await owner.get('/api/v1/doctor')).text)
    const said = checks.map(({ found }: { found: string }) => found).join('\n')
    for (const text of [said, (await owner.get('/')).text, (await owner.get('/box')).text]) {
      expect(text.match(/should get mail, but this box sends none/g)).toHaveLength(1)
      expect(text).not.toContain('sales')
      expect(text).toContain('has failed since')
    }
  })

  test('leads a colleague from mail that waits to the account, and from its card', async () => {
    const admin = await asUser('admin', 'other')
    const { text } = await admin.get('/')
    expect(text).toMatch(/The other studio should get mail[^<]*<\/p><a href="\/a\/other\/deliveries">Check deliveries</)
    expect(text).toMatch(
      /<a href="\/a\/other\/deliveries"><span class="mark doubtful">1 to look at<\/span><span class="unseen"> of The other studio</,
    )
  })

  test('leads from a card to what the list of notices has, otherwise to where the worst is mended', () => {
    const urgent = Array.from({ length: 22 }, () =>
      warning('refusals', 'Many.', 'Look.', { page: { name: 'refusals', account: 'acme' } }),
    )
    const way = (from: number) => health(urgent.slice(from), { name: 'Acme', urgent })?.text
    expect(way(19)).toStartWith('<a href="#attention">')
    expect(way(20)).toStartWith('<a href="/a/acme/refusals">')
  })

  test('shows the way to a first lead to those alone who can take it', async () => {
    const sales = await asUser('sales', 'other')
    expect((await sales.get('/')).text).toContain('<p>No leads yet.</p>')
  })

  test('says of a paused destination that it is paused', async () => {
    await owner.send('POST', '/a/acme/deliveries', { act: 'pause', destination: 'crm' })
    expect((await owner.get('/')).text).toMatch(
      /&quot;crm&quot; of Acme &amp; [^<]* has been paused since [^<]*: an operator has paused it\./,
    )
  })

  test('shows others their accounts alone', async () => {
    const [editor, stranger] = [await asUser('editor', 'acme'), await asUser('editor', 'other')]
    const [ofEditor, ofStranger] = await Promise.all(
      [editor, stranger].map(async (visitor) => (await visitor.get('/')).text),
    )
    expect([ofEditor?.includes('href="/a/other"'), ofEditor?.includes('of Acme &amp;')]).toEqual([false, true])
    expect([ofStranger?.includes('acme'), ofStranger?.includes('href="/a/other"')]).toEqual([false, true])
  })

  test('finds an account by name, domain and handle', async () => {
    for (const q of ['OTHER', 'go.other', 'the other studio']) {
      const { text } = await owner.get(`/?q=${encodeURIComponent(q)}`)
      expect([q, text.includes('href="/a/other"'), text.includes('href="/a/acme"')]).toEqual([q, true, false])
    }
    expect((await owner.get('/?q=nowhere')).text).toContain('Nothing found')
  })

  test('counts a lead that came by way of quarantine, though nobody knows then when the last one was', async () => {
    await box.send(formRequest({ account: 'other', fields: { email: 'ada@example.test', _hp: 'filled' } }))
    const [refused] = await box.submissions('other')
    await box.run(['submission', 'release', 'other', refused?.submissionId ?? ''])
    await eventually('it is counted', async () =>
      /<a href="\/a\/other">(?:(?!<\/li>).)*<dd>1<.*?<dt>Last lead<\/dt><dd>not known</s.test(
        (await owner.get('/')).text,
      ),
    )
  })
})
