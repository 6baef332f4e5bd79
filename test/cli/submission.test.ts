// `capture submission list|show|release`: quarantine, likely duplicates, and the receipt of one submission.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubmissionRecord } from '../../src/report/record.ts'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { bareEnvironment } from '../harness/capture-command.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { builtExecutable } from '../harness/executable.ts'
import { cookieOf } from '../harness/identity.ts'
import { applyAnew, becomesLive } from '../harness/publishing.ts'
import { visit } from '../harness/visits.ts'

const testPage = 'https://preview.test'
/** Every byte counts: a byte order mark, a NUL, and a line that is not ended as it was begun. */
const pageAsServed = new TextEncoder().encode('\uFEFF<p>\0\r\n\u00C3\r')
const site = (files: Record<string, string | Uint8Array>) =>
  aSite({
    origins: ['https://www.acme.test', testPage],
    forms: [aForm({ consent_text_id: 'privacy-1', schema: { type: 'object', properties: { email: {} } } })],
    files,
  })

let box: Box
beforeAll(async () => {
  const sites = [site({ 'pages/launch.html': pageAsServed }), aSite({ account: 'umbra' })]
  box = await Box.start(sites, { server: { preview_host: 'preview.test' } })
}, boxStartMsMax)
afterAll(() => box.stop())

const emailOf = (name: string) => `${name}@example.test`

/** Sends what is accepted; answers its id. */
const accepted = async (name: string, headers: Record<string, string> = {}, fields = {}): Promise<string> =>
  submissionIdOf(await box.send(formRequest({ headers, fields: { email: emailOf(name), ...fields } })))

const list = async (...words: string[]): Promise<SubmissionRecord[]> =>
  JSON.parse((await done('submission', 'list', 'acme', '--json', ...words)).stdout)

/** Sends what the honeypot refuses; answers its id. */
async function refused(name: string): Promise<string> {
  await box.send(formRequest({ fields: { email: emailOf(name), _hp: 'filled' } }))
  const found = (await list('--refused')).find(({ identity }) => identity.email === emailOf(name))
  if (found === undefined) throw new Error(`${name} was not refused`)
  return found.submissionId
}

async function done(...argv: string[]) {
  const ran = await box.run(argv)
  if (ran.status !== 0) throw new Error(`capture ${argv.join(' ')} ended with ${ran.status}: ${ran.stderr}`)
  return ran
}

describe('submission list', () => {
  test('shows the latest first, what repeats an earlier one, and nothing of the test page', async () => {
    const [first, second] = [await accepted('list'), await accepted('list')]
    await accepted('list-test', { origin: testPage })
    const records = await list('--limit', '2')
    expect(records.map(({ submissionId, duplicateOf }) => [submissionId, duplicateOf])).toEqual([
      [second, first],
      [first, null],
    ])
    const { stdout } = await done('submission', 'list', 'acme', '--limit', '2')
    expect(stdout).toMatch(new RegExp(`${second} +contact1 +list@example.test +accepted +likely duplicate\n`))
    expect(stdout).toContain('--limit N shows up to 1000, `capture export` all.')
  })

  test('with --refused shows why each was refused, and what to do', async () => {
    const [id, other] = [await refused('quarantined'), await accepted('not-quarantined')]
    const { stdout } = await done('submission', 'list', 'acme', '--refused')
    expect(stdout).toMatch(
      new RegExp(`${id} +contact1 +quarantined@example.test +refused +the hidden field was filled`),
    )
    expect(stdout).toContain('capture submission release acme ID')
    expect(stdout).not.toContain(other)
  })

  test('with --since leaves out what came before', async () => {
    await accepted('since')
    expect(await list('--since', new Date(Date.now() + 60_000).toISOString())).toEqual([])
    expect(await list('--since', '1h')).not.toEqual([])
  })

  test('shows nothing of another account', async () => {
    await accepted('isolated')
    expect((await done('submission', 'list', 'umbra')).stdout).toBe('umbra has no submissions yet.\n')
  })

  test.each(['0', '1001', 'many', '-1', '1.5'])('of --limit %s is wrong usage', async (limit) => {
    expect((await box.run(['submission', 'list', 'acme', `--limit=${limit}`])).status).toBe(2)
  })
})

describe('submission release', () => {
  test('makes a refused one count: it is exported as accepted, with what it was refused for', async () => {
    const id = await refused('released')
    expect((await done('submission', 'release', 'acme', id)).stdout).toStartWith(`Released ${id}: `)
    const exported = JSON.parse((await done('export', 'acme', 'submissions')).stdout.trim().split('\n').at(-1) ?? '')
    expect(exported).toMatchObject({ submissionId: id, status: 'accepted', refusedFor: 'honeypot' })
    expect(exported.personId).toBeString()
    expect((await list('--refused')).map(({ submissionId }) => submissionId)).not.toContain(id)
  })

  test('of the last one leaves nothing in quarantine, and the list does not say that none was ever refused', async () => {
    await refused('last-of-all')
    for (const { submissionId } of await list('--refused')) await done('submission', 'release', 'acme', submissionId)
    const since = new Date(Date.now() - 60 * 60_000).toISOString()
    const said = [
      await done('submission', 'list', 'acme', '--refused'),
      await done('submission', 'list', 'acme', '--refused', '--since', since),
    ]
    expect(said.map(({ stdout }) => stdout)).toEqual([
      'No submission of acme waits in quarantine.\n',
      expect.stringMatching(/^No submission of acme that came since \S+ \S+ UTC waits in quarantine\.\n$/),
    ])
  })

  test('of one that was sent again since says that it is a likely duplicate', async () => {
    const id = await refused('tried-again')
    const again = await accepted('tried-again')
    const { stdout } = await done('submission', 'release', 'acme', id, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ submissionId: id, released: true, duplicateOf: again })
  })

  test('for a second time changes nothing, and says so', async () => {
    const id = await refused('twice')
    const first = JSON.parse((await done('submission', 'release', 'acme', id, '--json')).stdout)
    const second = JSON.parse((await done('submission', 'release', 'acme', id, '--json')).stdout)
    expect(second).toEqual({ ...first, released: false })
    expect((await done('submission', 'release', 'acme', id)).stdout).toContain('was released already')
  })

  test('of an accepted one says that there is nothing to release', async () => {
    const id = await accepted('accepted')
    const { stdout } = await done('submission', 'release', 'acme', id)
    expect(stdout).toBe(`${id} was accepted on receipt: there is nothing to release.\n`)
  })
})

describe('an id of another account is unknown to', () => {
  test.each(['release', 'show'])('submission %s', async (verb) => {
    const id = await refused(`of-acme-${verb}`)
    const { status, stderr } = await box.run(['submission', verb, 'umbra', id])
    expect([status, stderr]).toEqual([1, expect.stringContaining(`There is no submission "${id}" of umbra.`)])
    expect((await list('--refused')).map(({ submissionId }) => submissionId)).toContain(id)
  })
})

describe('submission show', () => {
  const shown = async (id: string) => (await done('submission', 'show', 'acme', id)).stdout

  test('prints what a complaint asks for', async () => {
    const cookie = cookieOf(await box.send(visit('/launch?utm_source=flyer')))
    const id = await accepted('receipt', { cookie, 'user-agent': 'Visitor/1.0' }, { message: 'Hello' })
    const receipt = await shown(id)
    const lines = [
      `Submission ${id}`,
      /Status +accepted\n/,
      /Received +\d{4}-\d\d-\d\dT[\d:.]+Z \(UTC\)\n/,
      /Form +contact1 \(Form contact1\), version 1 of its definition, published .+ UTC\n/,
      /Consent text +privacy-1\n/,
      /Hidden field +_hp: absent\n/,
      /Bot check +not required\n/,
      /Identity +receipt@example.test\n/,
      /Origin +https:\/\/www.acme.test\n/,
      /User agent +Visitor\/1.0\n/,
      /First touch +flyer \/ /,
      /Duplicate of +none\n/,
      /Landing page +\/launch, SHA-256 [0-9a-f]{64}; --page-bytes FILE writes it/,
      /message +"Hello"\n/,
    ]
    for (const line of lines) expect(receipt).toMatch(line)
  })

  test('writes out whatever could steer a terminal', async () => {
    const steering = '\u001b]0;owned\u0007\u202e'
    const id = await accepted('steering', { 'user-agent': 'Agent' }, { [`key${steering}`]: `value${steering}\n` })
    expect((await shown(id)).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })

  test('says why one was refused, and when it was released', async () => {
    const id = await refused('refused-receipt')
    expect(await shown(id)).toMatch(/Status +refused as a bot: the hidden field was filled\n/)
    await done('submission', 'release', 'acme', id)
    expect(await shown(id)).toMatch(/Status +accepted: released at .+ UTC, after it had been refused as a bot/)
  })

  test('names the definition that was met, not the one of today', async () => {
    const id = await accepted('definition')
    const later = site({ 'pages/launch.html': pageAsServed })
    await applyAnew(box, { ...later, forms: [aForm({ name: 'Renamed', schema: { type: 'object' } })] })
    expect(JSON.parse((await done('submission', 'show', 'acme', id, '--json')).stdout)).toMatchObject({
      formVersion: 1,
      form: { name: 'Form contact1', definition: { schema: { properties: { email: {} } } } },
    })
    await applyAnew(box, later)
  })

  test('has no page bytes where no page was served', async () => {
    const id = await accepted('no-page')
    const { status, stderr } = await box.run(['submission', 'show', 'acme', id, '--page-bytes', '-'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('No landing page')])
  })
})

describe('the page as it was served', () => {
  /** What `--page-bytes -` prints, byte for byte. */
  async function printedBytes(id: string): Promise<Uint8Array> {
    const argv = ['submission', 'show', 'acme', id, '--page-bytes', '-', '--config', join(box.dir, 'capture.toml')]
    const child = Bun.spawn([await builtExecutable(), ...argv], {
      cwd: box.dir,
      env: bareEnvironment(),
      stderr: 'ignore',
    })
    return child.stdout.bytes()
  }

  /** As when it all happened long ago: `apply` then forgets what it no longer shows. */
  function letVersionsAge(): void {
    const { raw } = openConnection(join(box.dir, 'data/capture.db'))
    raw.run('UPDATE asset_version SET superseded_at = 0 WHERE superseded_at IS NOT NULL')
    raw.close()
  }

  test('is printed exactly, after two later publishes and after its versions were forgotten', async () => {
    const cookie = cookieOf(await box.send(visit('/launch')))
    const id = await accepted('page-bytes', { cookie })
    const unseen = new Bun.CryptoHasher('sha256').update('second').digest('hex')
    for (const page of ['second', 'third']) await applyAnew(box, site({ 'pages/launch.html': page }))
    expect(await printedBytes(id)).toEqual(pageAsServed)

    await applyAnew(box, site({ 'pages/other.html': 'other' }), '--prune')
    letVersionsAge()
    await applyAnew(box, site({ 'pages/other.html': 'another' }))
    expect(await Bun.file(assetFile(unseen)).exists()).toBe(false)
    await done('submission', 'show', 'acme', id, '--page-bytes', 'as-served.html')
    expect(new Uint8Array(readFileSync(join(box.dir, 'as-served.html')))).toEqual(pageAsServed)
    expect(await printedBytes(id)).toEqual(pageAsServed)
  })

  test('that is no longer kept is said to be gone, and nothing is written', async () => {
    await applyAnew(box, site({ 'pages/gone.html': 'gone' }))
    await becomesLive(box, visit('/gone'), { status: 200 })
    const cookie = cookieOf(await box.send(visit('/gone')))
    const id = await accepted('gone', { cookie })
    await Bun.file(assetFile(new Bun.CryptoHasher('sha256').update('gone').digest('hex'))).delete()
    const { status, stdout, stderr } = await box.run(['submission', 'show', 'acme', id, '--page-bytes', 'gone.html'])
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('no longer kept')])
    expect(await Bun.file(join(box.dir, 'gone.html')).exists()).toBe(false)
    expect((await done('submission', 'show', 'acme', id)).stdout).toContain('its bytes are no longer kept')
  })

  const assetFile = (sha256: string) => join(box.dir, 'data/assets', sha256.slice(0, 2), sha256)
})

describe('without a running server', () => {
  test(
    'a release is processed by the command itself',
    async () => {
      const stopped = await Box.start([aSite()])
      try {
        await stopped.send(formRequest({ fields: { email: emailOf('offline'), _hp: 'x' } }))
        const run = async (...argv: string[]) => JSON.parse((await stopped.run([...argv, '--json'])).stdout)
        process.kill(stopped.serverPid, 'SIGTERM')
        const [{ submissionId }] = await run('submission', 'list', 'acme', '--refused')
        expect(await run('submission', 'release', 'acme', submissionId)).toMatchObject({ released: true })
        const released = await run('submission', 'show', 'acme', submissionId)
        expect(released).toMatchObject({ status: 'accepted', personId: expect.any(String) })
      } finally {
        await stopped.stop()
      }
    },
    boxStartMsMax,
  )
})
