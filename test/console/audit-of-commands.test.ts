import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commands } from '../../src/cli/commands.ts'
import { aSite, writeSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'

/** What each command that changes something or reads a person is typed with, and what the audit log calls it. */
const noted: Record<string, { argv: string[]; action: string; subject?: string; fails?: true }> = {
  apply: { argv: ['FOLDER'], action: 'account.apply', subject: 'acme' },
  'account remove': { argv: ['gone', '--yes'], action: 'account.remove', subject: 'gone' },
  'account domains': {
    argv: ['acme', '--add', 'agency.example'],
    action: 'account.domains',
    subject: 'agency.example',
  },
  'domain release': { argv: ['go.gone.test'], action: 'domain.release', subject: 'go.gone.test' },
  'key rotate': { argv: ['acme'], action: 'key.rotate' },
  'key revoke': { argv: ['acme'], action: 'key.revoke' },
  'secret rotate': { argv: ['preview'], action: 'secret.rotate', subject: 'preview' },
  'page publish': { argv: ['acme', 'launch'], action: 'page.publish', subject: 'launch' },
  'page unpublish': { argv: ['acme', 'launch'], action: 'page.unpublish', subject: 'launch' },
  'page rollback': { argv: ['acme', 'nowhere'], action: 'page.rollback', subject: 'nowhere', fails: true },
  'page promote': { argv: ['acme', 'nowhere', 'b'], action: 'page.promote', subject: 'nowhere', fails: true },
  'clicks rejudge': { argv: ['acme'], action: 'clicks.rejudge' },
  export: { argv: ['acme', 'persons'], action: 'export.read', subject: 'persons' },
  'person show': { argv: ['acme', 'ada@example.test'], action: 'person.read', subject: 'PERSON' },
  'person erase': { argv: ['acme', 'ada@example.test', '--yes'], action: 'person.erase', subject: 'PERSON' },
  'submission release': { argv: ['acme', 'nothing'], action: 'submission.release', subject: 'nothing', fails: true },
  'submission refuse': { argv: ['acme', 'nothing'], action: 'submission.refuse', subject: 'nothing', fails: true },
  'submission remove': { argv: ['acme', 'nothing'], action: 'submission.remove', subject: 'nothing', fails: true },
  'delivery retry': { argv: ['acme', '--failed'], action: 'delivery.retry' },
  'delivery backfill': { argv: ['acme', 'crm', '--since', '1h'], action: 'destination.backfill', subject: 'crm' },
  'delivery pause': { argv: ['acme', 'crm'], action: 'destination.pause', subject: 'crm' },
  'delivery resume': { argv: ['acme', 'crm'], action: 'destination.resume', subject: 'crm' },
  'delivery test': { argv: ['acme', 'crm'], action: 'destination.test', subject: 'crm' },
  'delivery secret rotate': { argv: ['acme', 'crm'], action: 'destination.secret.rotate', subject: 'crm' },
  'retention allow': { argv: ['acme'], action: 'retention.allow' },
  'retention trust-clock': { argv: [], action: 'clock.trust' },
  backup: { argv: ['FOLDER/../box.backup'], action: 'backup.make' },
  'alert test': { argv: [], action: 'alert.test', fails: true },
  'backup now': { argv: [], action: 'backup.make', subject: 'TARGET' },
  'account move': { argv: ['acme', '--to', 'FOLDER/../acme.capture'], action: 'account.move-out' },
  'user invite': { argv: ['eve@agency.example', '--owner'], action: 'user.invite', subject: 'eve@agency.example' },
  'user sign-out': {
    argv: ['nobody@agency.example'],
    action: 'session.end',
    subject: 'nobody@agency.example',
    fails: true,
  },
  'user remove': {
    argv: ['nobody@agency.example'],
    action: 'user.remove',
    subject: 'nobody@agency.example',
    fails: true,
  },
  'user role': {
    argv: ['nobody@agency.example', '--account', 'acme', '--role', 'sales'],
    action: 'user.role',
    subject: 'nobody@agency.example',
    fails: true,
  },
  'account show-personal': { argv: ['acme', 'on'], action: 'account.show-personal', subject: 'acme' },
  'token create': {
    argv: ['--name', 'ci', '--account', 'acme', '--scope', 'publish', '--expires', '1d'],
    action: 'token.create',
  },
  'token revoke': { argv: ['nothing'], action: 'token.revoke', subject: 'nothing', fails: true },
}

/** What changes nothing of the box and leaves no line, and what it is typed with. */
const silent: Record<string, string[]> = {
  'account list': [],
  'account show': ['acme'],
  'domain list': [],
  'domain reserved': [],
  'form new': [],
  'key new': [],
  'page list': ['acme'],
  'page history': ['acme', 'launch'],
  'link sign': ['acme', '--to', 'http://go.acme.test/launch'],
  'link rewrite': ['acme', 'FOLDER/pages/launch.html'],
  preview: ['acme', 'page', 'launch'],
  'submission list': ['acme'],
  'submission show': ['acme', 'SUBMISSION'],
  'delivery list': ['acme'],
  'backup list': [],
  'backup key': [],
  'retention list': [],
  report: ['acme'],
  refusals: ['acme'],
  doctor: [],
  'config example': [],
  'config check': [],
  'user list': [],
  'token list': [],
  'audit list': [],
  'audit export': [],
  'audit verify': [],
  version: [],
}

/** What has no box to write to, as a follower's is its leader's, or changes and reads no more than those. */
const apart = new Set(
  `serve|cluster join|cluster status|cluster lead|cluster leave|new|domain check|submission file|backup verify|delivery show|
restore|repair|ready|service install|service status|service uninstall|upgrade`
    .split('|')
    .map((name) => name.trim()),
)

interface Line {
  actor: { kind: string; label: string }
  action: string
  account: string | null
  subject: string
  outcome: string
  address: string
  before: unknown
  after: unknown
}

let box: Box
let backups: string
let personId: string
let lines: Line[]
let leftBySilent: Line[]
/** The silent commands that failed, with what they said. */
const failed: string[] = []

beforeAll(async () => {
  const deliveries = [
    {
      name: 'crm',
      kind: 'webhook',
      url: 'https://crm.example.com/hook',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
  ]
  const acme = aSite({ deliveries, files: { 'pages/launch.html': '<title>Launch</title>' } })
  backups = mkdtempSync(join(tmpdir(), 'capture-target-'))
  box = await Box.start([acme, aSite({ account: 'gone' })], {
    console: { listen: '127.0.0.1:0' },
    backup: { to: [`file://${backups}`] },
  })
  const { text: answer } = await box.send(formRequest())
  const { submissionId } = JSON.parse(answer) as { submissionId: string }
  const [person] = (await box.run(['export', 'acme', 'persons'])).stdout.trim().split('\n')
  personId = (JSON.parse(person ?? '{}') as { personId: string }).personId
  const folder = join(box.dir, 'acme-again')
  writeSite(folder, acme)
  const typed = (name: string, argv: string[]) =>
    box.execute([
      ...name.split(' '),
      ...argv.map((word) => word.replace('FOLDER', folder).replace('SUBMISSION', submissionId)),
    ])
  const before = (await auditLines()).length
  for (const [name, argv] of Object.entries(silent)) {
    const { status, stderr } = await typed(name, argv)
    if (status !== 0) failed.push(`${name}: ${stderr}`)
  }
  leftBySilent = (await auditLines()).slice(0, -before).filter(({ action }) => action !== 'token.create')
  for (const [name, { argv }] of Object.entries(noted)) await typed(name, argv)
  lines = await auditLines()
}, boxStartMsMax * 2)
afterAll(async () => {
  await box.stop()
  rmSync(backups, { recursive: true, force: true })
})

async function auditLines(): Promise<Line[]> {
  const argv = ['token', 'create', '--name', 'reader', '--box', '--scope', 'admin', '--expires', '1d', '--json']
  const { token } = JSON.parse((await box.run(argv)).stdout) as { token: string }
  const response = await fetch(`http://127.0.0.1:${box.consolePort}/api/v1/audit?limit=1000`, {
    headers: { host: 'localhost', authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { items: Line[] }).items
}

describe('the audit log of commands', () => {
  test('decides for every command whether it is noted', () => {
    const decided = new Set([...Object.keys(noted), ...Object.keys(silent), ...apart])
    const undecided = commands.map(({ name }) => name).filter((name) => !decided.has(name))
    expect(undecided).toEqual([])
  })

  test.each(Object.entries(noted))(
    'names %s, how it ended and what it was done to',
    (_name, { action, subject, fails }) => {
      const wanted = subject?.replace('PERSON', personId).replace('TARGET', `file://${backups}`)
      const line = lines.find(
        (candidate) => candidate.action === action && (wanted === undefined || candidate.subject === wanted),
      )
      expect({ outcome: line?.outcome, address: line?.address }).toEqual({
        outcome: fails ? 'failed' : 'done',
        address: '',
      })
      expect(line?.actor.kind).toBe('command')
    },
  )

  test('has no line of a command that only reads', () => {
    expect(failed).toEqual([])
    expect(leftBySilent).toEqual([])
  })

  test('names the account of what concerns one', () => {
    expect(lines.find(({ action }) => action === 'key.rotate')?.account).toBe('acme')
  })

  test('says what was before and after', () => {
    const moved = lines.find(({ action }) => action === 'page.unpublish')
    expect({ before: moved?.before, after: moved?.after }).toEqual({
      before: { state: 'live' },
      after: { state: 'preview' },
    })
  })

  test('holds no token and no key', async () => {
    expect(JSON.stringify(lines)).not.toMatch(/cap_|svc_tk_|whsec_/)
  })

  test('names persons by their id, never by address', () => {
    expect(JSON.stringify(lines)).not.toContain('ada@example.test')
  })
})
