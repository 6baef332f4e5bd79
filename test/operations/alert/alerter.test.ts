import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { loadConfig } from '../../../src/config/load.ts'
import { boxAddress } from '../../../src/config/own-hosts.ts'
import { alertSenders } from '../../../src/operations/alert/alert-channels.ts'
import { Alerter } from '../../../src/operations/alert/alerter.ts'
import { type CheckResult, warning } from '../../../src/operations/check-result.ts'
import { alertNote } from '../../../src/storage/filesystem/folder-notes.ts'
import { TestMailServer } from '../../harness/mail-server.ts'
import { Receiver } from '../../harness/receiver.ts'

const minuteMs = 60_000

const fails = (name: string, found = `The destination "${name}" of acme fails.`): CheckResult =>
  warning('deliveries', found, 'Repair it.', { about: name, page: { name: 'deliveries', account: 'acme' } })

/** Alerts by mail and to an address, with the real thing at the other end and a clock of the test's. */
class Alerted implements AsyncDisposable {
  now = Date.UTC(2026, 10, 22)
  problems: CheckResult[] = []
  /** Of which the problems speak; others are as they were. */
  covers: (identity: string) => boolean = () => true
  isMailDown = false
  readonly warned: string[] = []
  private readonly dir = mkdtempSync(join(tmpdir(), 'capture-alerts-'))
  private alerter: Alerter

  private constructor(
    readonly mail: TestMailServer,
    readonly chat: Receiver,
  ) {
    this.alerter = this.started()
  }

  static async start(): Promise<Alerted> {
    const refuseSender = () => (alerted.isMailDown ? 421 : null)
    const alerted: Alerted = new Alerted(await TestMailServer.start({ refuseSender }), new Receiver())
    return alerted
  }

  get note() {
    return alertNote(this.dir)
  }

  restart(): void {
    this.alerter = this.started()
  }

  /** A look now, and one after the time in which news are gathered. */
  async minutes(count: number): Promise<void> {
    for (let minute = 0; minute <= count; minute++) {
      if (minute > 0) this.now += minuteMs
      await this.alerter.turn()
    }
  }

  get posts(): string[] {
    return this.chat.received.map(({ body }) => JSON.parse(body).text)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.dir, { recursive: true })
    await this.mail[Symbol.asyncDispose]()
    await this.chat[Symbol.asyncDispose]()
  }

  private started(): Alerter {
    const { config } = loadConfig({ env: {}, cwd: '/nowhere', systemFile: '/nowhere/capture.toml' })
    const from = { name: null, address: 'box@agency.example' }
    const configured = {
      ...config,
      mail: { ...config.mail, host: '127.0.0.1', port: this.mail.port, security: 'none' as const, from },
      alerts: { to: ['ops@agency.example'], url: this.chat.url('/services/T0/B0/secret-part') },
      console: { ...config.console, host: 'console.agency.example' },
    }
    const clock = { now: () => this.now }
    return new Alerter({
      senders: alertSenders(configured, clock),
      speaker: boxAddress(configured),
      problems: async () => ({ found: this.problems, covers: this.covers }),
      note: this.note,
      clock,
      log: { warn: (message) => void this.warned.push(message) },
    })
  }
}

let alerted: Alerted
beforeEach(async () => {
  alerted = await Alerted.start()
})
afterEach(() => alerted[Symbol.asyncDispose]())

describe('what needs attention', () => {
  test('is said once when it begins and once when it ends, by mail and to the address', async () => {
    alerted.problems = [fails('crm')]
    await alerted.minutes(10)
    expect(alerted.posts).toHaveLength(1)
    expect(alerted.posts[0]).toContain('The destination "crm" of acme fails.')
    alerted.problems = []
    await alerted.minutes(10)
    expect(alerted.posts).toHaveLength(2)
    expect(alerted.posts[1]).toContain('Over\n• The destination "crm" of acme fails.')
    const [begun, ended] = await Promise.all(
      (await alerted.mail.mails(2)).map(({ raw }) => PostalMime.parse(Buffer.from(raw, 'latin1'))),
    )
    expect(begun?.subject).toBe('console.agency.example: The destination "crm" of acme fails.')
    expect(begun?.text).toContain('http://console.agency.example')
    expect(ended?.subject).toBe('console.agency.example: 1 over')
    expect(alerted.mail.received[0]).toMatchObject({ from: 'box@agency.example', to: ['ops@agency.example'] })
  })

  test('is not said to be over by a node that no longer leads, which knows only of the cluster', async () => {
    alerted.problems = [fails('crm')]
    await alerted.minutes(1)
    alerted.covers = (identity) => identity.startsWith('cluster ')
    alerted.problems = [warning('cluster', 'No node leads the cluster.', 'Look.', { about: 'leader' })]
    await alerted.minutes(1)
    expect(alerted.posts).toHaveLength(2)
    expect(alerted.posts[1]).toContain('No node leads the cluster.')
    alerted.covers = () => true
    alerted.problems = [fails('crm')]
    await alerted.minutes(1)
    expect(alerted.posts).toHaveLength(3)
    expect(alerted.posts[2]).toContain('Over\n• No node leads the cluster.')
  })

  test('is said again when it begins again, in the same words', async () => {
    for (const problems of [[fails('crm')], [], [fails('crm')]]) {
      alerted.problems = problems
      await alerted.minutes(1)
    }
    expect(alerted.posts).toHaveLength(3)
    expect(alerted.mail.received).toHaveLength(3)
  })

  test('is gathered for a minute, and what came and went meanwhile is not said', async () => {
    alerted.problems = [fails('crm'), fails('team')]
    await alerted.minutes(0)
    expect(alerted.posts).toEqual([])
    alerted.problems = [fails('crm'), fails('sales')]
    await alerted.minutes(1)
    expect(alerted.posts).toHaveLength(1)
    expect(alerted.posts[0]).toContain('2 new problems')
    expect(alerted.posts[0]).not.toContain('team')
  })

  test('stays the same problem while its text changes', async () => {
    alerted.problems = [fails('crm')]
    await alerted.minutes(1)
    alerted.problems = [fails('crm', 'The destination "crm" of acme fails. 7 deliveries wait.')]
    await alerted.minutes(5)
    expect(alerted.posts).toHaveLength(1)
  })

  test('is not said again after a restart', async () => {
    alerted.problems = [fails('crm')]
    await alerted.minutes(1)
    alerted.restart()
    await alerted.minutes(5)
    expect(alerted.posts).toHaveLength(1)
    alerted.problems = []
    await alerted.minutes(1)
    expect(alerted.posts).toHaveLength(2)
  })

  test('is said at most four times an hour, and then with all that has gathered', async () => {
    for (let change = 0; change < 12; change++) {
      alerted.problems = [...alerted.problems, fails(`crm${change}`)]
      await alerted.minutes(2)
    }
    expect(alerted.posts).toHaveLength(4)
    await alerted.minutes(40)
    expect(alerted.posts).toHaveLength(5)
    expect(alerted.posts[4]).toContain('8 new problems')
  })
})

test('while mail is down, the address is told once, and mail follows when it works again', async () => {
  alerted.isMailDown = true
  alerted.problems = [fails('crm')]
  await alerted.minutes(12)
  expect(alerted.posts).toHaveLength(1)
  expect(alerted.mail.received).toEqual([])
  expect(alerted.note.read().mail?.failure).toMatchObject({ error: expect.stringContaining('421') })
  expect(alerted.warned.length).toBeWithin(2, 4)
  alerted.isMailDown = false
  await alerted.minutes(5)
  expect(alerted.mail.received).toHaveLength(1)
  expect(alerted.note.read().mail?.failure).toBeNull()
  expect(alerted.posts).toHaveLength(1)
})
