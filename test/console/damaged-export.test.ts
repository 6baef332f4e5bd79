// A download that lacks records is taken for whole by nobody.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { textsOf } from '../../src/language/language.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

let box: Box
let token: string
const sent: string[] = []
beforeAll(async () => {
  const sites = [aSite(), aSite({ account: 'large', payload_limit: 16_384 })]
  box = await Box.start(sites, { console: { listen: '127.0.0.1:0' } })
  for (const name of ['Ada', 'Ben', 'Eve'])
    sent.push(submissionIdOf(await box.send(formRequest({ fields: { name, email: 'ada@example.test' } }))))
  const large: string[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
    large.push(
      submissionIdOf(
        await box.send(
          formRequest({ account: 'large', fields: { name, message: name.repeat(5000).slice(0, 15_000) } }),
        ),
      ),
    )
  const argv = ['token', 'create', '--name', 'reader', '--box', '--scope', 'read', '--expires', '1d', '--json']
  token = (JSON.parse((await box.run(argv)).stdout) as { token: string }).token
  for (const account of ['acme', 'large'])
    expect(await downloaded(account, 'export/submissions')).toMatchObject({ status: 200, isWhole: true })
  using database = new Database(join(box.dir, 'data', 'capture.db'))
  database.run('PRAGMA busy_timeout = 5000')
  for (const id of [sent[1], large[5]]) database.run('UPDATE ledger SET record = ? WHERE id = ?', ['{', id ?? ''])
}, boxStartMsMax)
afterAll(() => box.stop())

const broken = { status: 0, isWhole: false }

/** As much as came, and whether that was all. */
async function downloaded(account: string, path: string) {
  const { body, status } = await fetch(`http://127.0.0.1:${box.consolePort}/api/v1/accounts/${account}/${path}`, {
    // On a connection that is used again, the client would repeat a request whose answer breaks off.
    keepalive: false,
    headers: { host: 'localhost', authorization: `Bearer ${token}` },
  })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
    return { status, text, isWhole: true }
  } catch {
    return { status, text, isWhole: false }
  }
}

describe('with a record that cannot be read', () => {
  test.each(['export/submissions', 'export/submissions?format=csv', 'persons/ada%40example.test'])(
    '%s is refused with what to do',
    async (path) => {
      const { status, text } = await downloaded('acme', path)
      expect([status, text]).toEqual([409, expect.stringContaining('capture repair')])
    },
  )

  test('a list is refused in the words of the commands', async () => {
    const { status, text = '' } = await downloaded('acme', 'submissions')
    const { stderr } = await box.run(['submission', 'list', 'acme'])
    expect([status, JSON.parse(text).error.message]).toEqual([409, stderr.trim()])
    expect(stderr).toContain(`The record ${sent[1]} is not as it was captured`)
  })

  test('the inbox says so, and customers read that it failed', async () => {
    const owner = await ConsoleVisitor.owner(box)
    expect((await owner.get('/a/acme')).text).toContain('<code>capture repair</code>')
    const client = new ConsoleVisitor(box)
    await client.accept(
      await ConsoleVisitor.invite(box, ['client@customer.example', '--account', 'acme', '--role', 'client']),
    )
    const ofClient = (await client.get('/a/acme')).text
    expect(ofClient).toContain(textsOf('en').console.messages.failed.title)
    expect(ofClient).not.toContain('capture repair')
  })

  test('an export of which a part may have left breaks off', async () => {
    // How much of it had left by then is the network's matter.
    const { status, isWhole } = await downloaded('large', 'export/submissions').catch(() => broken)
    expect(status === 200 && isWhole).toBe(false)
  })

  test('a folder of which a content is missing breaks off, and one line of the log says which', async () => {
    const page = 'gone '.repeat(100)
    await box.apply(aSite({ account: 'gone', domains: ['go.gone.test'], files: { 'pages/launch.html': page } }))
    expect(await downloaded('gone', 'folder').catch(() => broken)).toMatchObject({ status: 200, isWhole: true })
    const sha256 = createHash('sha256').update(page).digest('hex')
    rmSync(join(box.dir, 'data', 'assets', sha256.slice(0, 2), sha256))
    const before = box.complaints.length
    const { status, isWhole } = await downloaded('gone', 'folder').catch(() => broken)
    expect(status === 200 && isWhole).toBe(false)
    await eventually('the service logs it', async () => box.complaints.length > before)
    expect(box.complaints.splice(before)).toEqual([
      expect.stringContaining(
        '"message":"A download of the console broke off: The content of pages/launch.html is missing on this box."',
      ),
    ])
  })

  test('what it does not concern is whole', async () => {
    expect(await downloaded('acme', 'export/events')).toMatchObject({ status: 200, isWhole: true })
  })
})
