import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'
import { type ServerProcess, startServer } from '../harness/server-process.ts'

let box: Box
/** Of the box after its mail server was set up. */
let restarted: ServerProcess | null = null
let owner: ConsoleVisitor
let editor: ConsoleVisitor
let receiver: Receiver
beforeAll(async () => {
  receiver = new Receiver()
  const deliveries = [
    { name: 'crm', kind: 'webhook', url: receiver.url() },
    { name: 'sales', kind: 'mail', to: ['sales@agency.example'] },
  ]
  box = await Box.start([aSite({ deliveries })], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
  })
  owner = await ConsoleVisitor.owner(box)
  editor = new ConsoleVisitor(box)
  await editor.accept(await ConsoleVisitor.invite(box, ['ed@agency.example', '--account', 'acme', '--role', 'editor']))
}, boxStartMsMax)
afterAll(async () => {
  await restarted?.stop()
  await box.stop().catch(() => {})
  await receiver[Symbol.asyncDispose]()
})

async function cardOf(name: string): Promise<string> {
  const { text } = await owner.get('/a/acme/deliveries')
  const card = text.split('<li class="place').find((part) => part.includes(`<h2>${name} `)) ?? ''
  return card.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
}

test('a destination works once something got through, and not before', async () => {
  expect(await cardOf('crm')).toContain('crm not used yet')
  expect(await cardOf('crm')).toContain('No lead has gone out yet.')
  await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
  await eventually('the lead is delivered', async () => (await cardOf('crm')).includes('crm working'))
  expect(await cardOf('crm')).toContain('Last delivered')
  expect(await cardOf('crm')).toMatch(/Send a test crm ?Pause crm ?More/)
})

test('a box that sends no mail says once what to do, and offers no try of a destination that waits for it', async () => {
  const { text } = await owner.get('/a/acme/deliveries')
  const [card = ''] = /<ul class="places" aria-label="Waiting for mail">.*?<\/ul>/s.exec(text) ?? []
  expect(card.match(/Mail waits/g)).toHaveLength(1)
  expect(card).toMatch(
    /<strong>sales<\/strong> <span class="hint">Mail to .*?<\/span> <span>1 delivery waits\..*Pause/s,
  )
  expect(card).not.toMatch(/Send a test|Try again/)
  expect(text.match(/<code>\[mail\]<\/code>/g)).toHaveLength(1)
  expect(text).toContain('<a href="/box">Health</a>')
  expect(text.match(/This box sends no mail/g)).toHaveLength(1)
  const [waiting = ''] =
    /\/a\/acme\/deliveries\/[\w-]+(?="><bdi>[^<]*<\/bdi><span class="unseen"> to sales<)/.exec(text) ?? []
  const delivery = await owner.get(waiting)
  expect(delivery.text).toContain('for mail setup')
  expect(delivery.text).toContain('<a href="/box">Health</a>')
  expect(delivery.text).not.toContain('Try again now')
  expect(delivery.text).not.toContain('<h2>Tries</h2>')
  const [, lead = ''] = /href="(\/a\/acme\/s\/[\w-]+)"/.exec(delivery.text) ?? []
  const { text: shown } = await owner.get(lead)
  expect(shown).toContain(
    'Not delivered to sales: this box sends no mail yet. <a href="#deliveries">See deliveries</a>',
  )
  expect(shown).toMatch(
    />sales<\/a> <span class="soft">mail<\/span> <span class="mark doubtful">waiting for mail setup<\/span><br>/,
  )
  const { text: theirs } = await editor.get(lead)
  expect(theirs).toContain('Ask an owner of the box to set it up.')
  expect(theirs).not.toContain('capture.toml')
})

test('earlier leads are counted before somebody chooses from when', async () => {
  const { text } = await owner.get('/a/acme/deliveries?backfill=crm')
  expect(text).toContain('was already sent, is waiting or has failed.</p>')
  expect(text).toContain('<button>Find leads</button>')
  const { text: waiting } = await owner.get('/a/acme/deliveries?backfill=sales&from=2020-01-01')
  expect(waiting).toContain('<a href="/a/acme/deliveries?state=waiting&q=sales">1 waits for sales</a>')
  expect(waiting).toContain('<button>Find leads</button>')
  expect(text).not.toContain('<h2>Log</h2>')
})

test('the log names whose lead each delivery is, until the person is erased', async () => {
  await box.send(formRequest({ fields: { name: 'Grace Hopper', email: 'grace@example.test' } }))
  const log = async () => (await owner.get('/a/acme/deliveries')).text.split('<h2>Log</h2>')[1] ?? ''
  await eventually('the lead is sent', async () => (await log()).match(/<bdi>Grace Hopper<\/bdi>/g)?.length === 2)
  expect(await log()).toContain('<bdi>ada@example.test</bdi>')
  await box.run(['person', 'erase', 'acme', 'grace@example.test', '--yes'])
  expect(await log()).not.toContain('Grace Hopper')
  expect(await log()).toContain('<bdi>ada@example.test</bdi>')
})

/** The deliveries of a lead to `sales`, as they are after a day or two without a mail server. */
function giveUp(state: 'waiting' | 'failed', submission: string): void {
  using database = new Database(join(box.dir, 'data', 'capture.db'))
  const { changes } = database.run(
    `UPDATE delivery SET state = ?, next_at = ? WHERE submission_id = ? AND destination_row IN
      (SELECT row FROM destination WHERE name = 'sales')`,
    [state, Date.now() + 7_200_000, submission],
  )
  expect(changes).toBe(1)
}

async function tried(visitor: ConsoleVisitor, submission: string): Promise<string> {
  let text = ''
  await eventually('the mail was tried', async () => {
    text = (await visitor.get(`/a/acme/s/${submission}`)).text
    return text.includes('Not delivered to sales')
  })
  return text
}

test('a mail that was given up since nobody set up mail asks only owners to do that, until it is done', async () => {
  const [failed, waiting] = await Promise.all(
    ['failed@example.test', 'waiting@example.test'].map(async (email) =>
      submissionIdOf(await box.send(formRequest({ fields: { email } }))),
    ),
  )
  if (failed === undefined || waiting === undefined) throw new Error('nothing was sent')
  await Promise.all([tried(owner, failed), tried(owner, waiting)])
  giveUp('failed', failed)
  giveUp('waiting', waiting)
  const mine = await tried(owner, failed)
  expect(mine).toContain('Not delivered to sales: given up.')
  expect(mine).toContain('<code>capture.toml</code>')
  expect(mine).not.toContain('Try again now')
  const theirs = await tried(editor, failed)
  expect(theirs).toContain('Ask an owner of the box to set it up.')
  const [, delivery = ''] = /href="(\/a\/acme\/deliveries\/[\w-]+)">sales</.exec(theirs) ?? []
  const pages = [theirs, (await editor.get(delivery)).text, (await editor.get('/a/acme/deliveries')).text]
  for (const page of pages) expect(page).not.toContain('capture.toml')

  process.kill(box.serverPid, 'SIGKILL')
  const config = join(box.dir, 'capture.toml')
  appendFileSync(config, '\n[mail]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\nfrom = "leads@agency.example"\n')
  restarted = await startServer(config, box.dir)
  const visitor = new ConsoleVisitor({ consolePort: restarted.consolePort ?? 0 })
  await visitor.accept(await ConsoleVisitor.invite(box, ['second@agency.example', '--owner']))
  for (const [submission, outlook] of [
    [failed, 'given up'],
    [waiting, 'trying again'],
  ] as const) {
    const text = await tried(visitor, submission)
    expect(text).toContain(`Not delivered to sales: ${outlook}`)
    expect(text).not.toContain('sends no mail')
    expect(text).toContain('Try again now<span class="unseen"> sales</span>')
  }
})
