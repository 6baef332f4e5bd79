import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
let owner: ConsoleVisitor
let hostile: string
beforeAll(async () => {
  const size = { title: 'Team size', enum: ['Fewer than ten people', 'Between 10 and 20 people'] }
  const schema = { properties: { size } }
  const acme = aSite({ name: '<i>Acme</i>', forms: [aForm({ name: '<u>Contact</u>', schema })] })
  box = await Box.start([acme, aSite({ account: 'other' })], { console: { listen: '127.0.0.1:0' } })
  owner = await ConsoleVisitor.owner(box)
  const fields = { name: '<b>Bobby</b>', email: 'b@example.test', '<s>field</s>': '<script>alert(1)</script>' }
  hostile = submissionIdOf(await box.send(formRequest({ fields })))
}, boxStartMsMax)
afterAll(() => box.stop())

const asRole = async (account: string, role: string): Promise<ConsoleVisitor> => {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(
    await ConsoleVisitor.invite(box, [`${account}-${role}@agency.example`, '--account', account, '--role', role]),
  )
  return visitor
}

describe('the inbox', () => {
  test.each(['/a/acme', '/a/acme?status=all&q=bobby', '/'])(
    'at %s holds nothing as markup that was captured or configured',
    async (path) => {
      const { status, text } = await owner.get(path)
      expect(status).toBe(200)
      for (const markup of ['<b>Bobby', '<script>alert', '<i>Acme', '<u>Contact']) expect(text).not.toContain(markup)
    },
  )

  test('can be searched from a dozen leads on', async () => {
    const isSearched = async () => (await owner.get('/a/other')).text.includes('role="search"')
    const lead = (n: number) => box.send(formRequest({ account: 'other', fields: { n } }))
    for (let n = 1; n < 12; n++) await lead(n)
    expect(await isSearched()).toBe(false)
    await lead(12)
    expect(await isSearched()).toBe(true)
  })

  test('repeats what was searched for as text alone', async () => {
    const { text } = await owner.get('/a/acme?q=%22%3E%3Cimg%20src%3Dx%3E')
    expect(text).not.toContain('<img src=x>')
    expect(text).toContain('value="&quot;&gt;&lt;img src=x&gt;"')
  })

  test('of an account that is somebody else’s is the page of one that does not exist', async () => {
    const visitor = await asRole('other', 'admin')
    const [theirs, nobodys] = [await visitor.get('/a/acme'), await visitor.get('/a/nowhere')]
    expect([theirs.status, theirs.text]).toEqual([404, nobodys.text])
  })

  test('says in a row without a message how to reach its sender', async () => {
    await box.send(formRequest({ fields: { name: 'Lee', phone: '+44 20 7946 0018', email: 'lee@example.test' } }))
    expect((await owner.get('/a/acme')).text).toContain('<span class="gist"><bdi>+44 20 7946 0018</bdi></span>')
  })

  test('begins a row with what its sender wrote, before what they chose', async () => {
    const fields = { name: 'Joan', day: 'Monday', size: 'Between 10 and 20 people', message: 'How long does it take?' }
    const id = submissionIdOf(await box.send(formRequest({ fields })))
    const words = 'How long does it take? · Team size: Between 10 and 20 people · Day: Monday'
    expect((await owner.get('/a/acme')).text).toContain(`<bdi>${words}</bdi>`)
    const page = (await owner.get(`/a/acme/s/${id}`)).text
    expect(page).toMatch(/<p class="message">.*\n<bdi>How long does it take\?<\/bdi><\/p>/)
  })

  test('has nothing behind a cursor that is none', async () => {
    expect((await owner.get('/a/acme?cursor=nonsense')).status).toBe(404)
  })

  test('shows a client who wrote to nobody', async () => {
    const client = await asRole('acme', 'client')
    const { text } = await client.get('/a/acme')
    expect(text).not.toContain('Bobby')
    expect(text).toContain(hostile)
  })
})

describe('a submission’s page', () => {
  test('shows every field as text', async () => {
    const { text } = await owner.get(`/a/acme/s/${hostile}`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<s>field')
  })

  test('that is not there says so', async () => {
    expect((await owner.get('/a/acme/s/nothing')).status).toBe(404)
  })

  test('releases what is in quarantine, for whoever may', async () => {
    const fields = { name: 'Robot', email: 'r@example.test', _hp: 'filled' }
    await box.send(formRequest({ fields }))
    const { text } = await owner.get('/api/v1/accounts/acme/submissions?status=refused')
    const [{ submissionId }] = JSON.parse(text).items
    const path = `/a/acme/s/${submissionId}`
    const list = (await owner.get('/a/acme?status=refused')).text
    expect(list).toContain('<span class="mark">filled a hidden field</span>')
    // Few are seen at once: what is asked for can still be changed.
    expect(list).not.toContain('role="search"')
    const searched = (await owner.get('/a/acme?status=refused&q=robot')).text
    expect([searched.includes('role="search"'), searched.includes('name="state"')]).toEqual([true, false])
    expect(list).not.toContain('<bdi>filled</bdi>')
    expect((await owner.get('/a/acme?status=all')).text).toContain('<span class="mark">quarantine</span>')
    const viewer = await asRole('acme', 'viewer')
    expect((await viewer.send('POST', path, { do: 'release' })).status).toBe(403)
    expect((await owner.send('POST', path, { do: 'release' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await owner.get(path)).text).toContain(
      'A hidden field was filled in, as robots do. It contains “<bdi>filled</bdi>”.',
    )
    expect((await owner.send('POST', path, { do: 'release' })).status).toBe(303)
    expect((await owner.get(path)).text).toContain('Released')
  })
})
