// Retention by a clock that is wrong, and deletions that wait for the operator's word (docs/privacy.md).
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite, writeSite } from '../harness/a-site.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { ageRecords, jumpAhead, startMachineAnew } from './harness/passing-time.ts'
import type { RunningServer } from './harness/program.ts'

const dayMs = 86_400_000
const fourYearsMs = 4 * 365 * dayMs
const sent = 12

const site = (retention: { submissions?: string; events?: string } = { submissions: '3y' }) => aSite({ retention })

const made = new Map<string, Promise<BinaryBox>>()
afterAll(async () => {
  for (const box of made.values()) await (await box)[Symbol.asyncDispose]()
})

/** A box that served, has the submissions, and has seen a pass of retention. Its server has ended. Each test has a copy. */
async function aServedBox(submissions = sent, retention?: { submissions?: string }): Promise<BinaryBox> {
  const box = made.getOrInsertComputed(JSON.stringify([submissions, retention]), () =>
    makeServedBox(submissions, retention),
  )
  return (await box).copy()
}

async function makeServedBox(submissions: number, retention?: { submissions?: string }): Promise<BinaryBox> {
  const box = await BinaryBox.make()
  await box.apply(site(retention))
  await using server = await box.serve()
  for (let number = 0; number < submissions; number++) {
    expect(await server.send(formRequest({ fields: { email: `lead-${number}@people.example` } }))).toMatchObject({
      status: 200,
    })
  }
  await box.done(['report', 'acme'])
  await eventually('retention has passed', async () => {
    const { accounts } = await retentionOf(box)
    return accounts.every(({ passedAt }) => passedAt !== null)
  })
  await server.stop()
  return box
}

const retentionOf = async (box: BinaryBox) =>
  JSON.parse(await box.done(['retention', 'list', '--json'])) as {
    clock: { believed: boolean }
    accounts: { passedAt: string | null }[]
  }

/** The site's folder with other terms, not applied yet. */
function folderWith({ dir }: BinaryBox, retention: { submissions?: string; events?: string }): string {
  const folder = join(dir, 'sites/acme')
  writeSite(folder, site(retention))
  return folder
}

const kept = async (box: BinaryBox): Promise<number> => (await box.submissions()).length

const linesWith = (server: RunningServer, pattern: RegExp): string[] =>
  server.stderr.split('\n').filter((line) => pattern.test(line))

async function findings(box: BinaryBox, check: string): Promise<{ status: string; found: string; advice: string }[]> {
  const { stdout } = await box.run(['doctor', '--json'])
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; status: string; found: string; advice: string }[]
  }
  return checks.filter((finding) => finding.check === check)
}

describe('a clock that is years ahead', () => {
  test('deletes nothing: the log says so once, and doctor with the command to type', async () => {
    await using box = await aServedBox()
    jumpAhead(box.databaseFile, fourYearsMs)
    await using server = await box.serve()
    await server.says('stderr', /"level":"warn".*retention waits.*capture retention trust-clock/)
    await server.stop()
    expect(linesWith(server, /retention waits/)).toHaveLength(1)
    expect(await findings(box, 'clock')).toMatchObject([
      { status: 'warning', advice: expect.stringContaining('capture retention trust-clock') },
    ])
    expect(await kept(box)).toBe(sent)
  })

  test('deletes no refused submission either, of an account that says nothing of retention', async () => {
    await using box = await BinaryBox.make()
    await box.apply(aSite())
    {
      await using server = await box.serve()
      await server.send(formRequest({ fields: { _hp: 'I am a bot' } }))
      await box.done(['report', 'acme'])
      await server.stop()
    }
    jumpAhead(box.databaseFile, fourYearsMs)
    await using server = await box.serve()
    await server.says('stderr', /retention waits/)
    await server.stop()
    expect((await box.done(['export', 'acme', 'submissions', '--refused'])).trim().split('\n')).toHaveLength(1)
  })

  test('that is set right while the service runs lets retention go on by itself', async () => {
    await using box = await aServedBox()
    jumpAhead(box.databaseFile, fourYearsMs)
    await using server = await box.serve()
    await server.says('stderr', /retention waits/)
    jumpAhead(box.databaseFile, -fourYearsMs)
    await server.says('stderr', /The clock is plausible again/)
    expect(await kept(box)).toBe(sent)
  })

  test('asks twice before it deletes most of an account: for the clock, and for the account', async () => {
    await using box = await aServedBox()
    jumpAhead(box.databaseFile, fourYearsMs)
    await using server = await box.serve()
    await server.says('stderr', /retention waits/)
    expect(await box.run(['retention', 'allow', 'acme'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('trust-clock'),
    })
    expect(await box.done(['retention', 'trust-clock'])).toContain('retention continues')
    await server.says('stderr', /Retention waits: it would delete 12 submissions of acme/)
    expect(await kept(box)).toBe(sent)
    expect(JSON.parse(await box.done(['retention', 'allow', 'acme', '--json']))).toEqual({
      account: 'acme',
      allowed: { class: 'submissions', due: sent, kept: 0, also: { submissions: 0, events: 0, refused: 0 } },
    })
    await server.says('stderr', /"message":"Retention deleted[^\n]*"submissions":12,"events":0,"refused":0/)
    expect(await kept(box)).toBe(0)
    expect(await findings(box, 'retention')).toMatchObject([{ status: 'ok' }])
  })
})

describe('a machine that was started anew', () => {
  test('and was off for six days is believed', async () => {
    await using box = await aServedBox(1, { submissions: '5d' })
    jumpAhead(box.databaseFile, 6 * dayMs)
    startMachineAnew(box.databaseFile)
    await using server = await box.serve()
    await server.says('stderr', /"message":"Retention deleted[^\n]*"submissions":1/)
    expect(await kept(box)).toBe(0)
  })

  test('and was off for longer is asked about, since its clock may be wrong', async () => {
    await using box = await aServedBox()
    jumpAhead(box.databaseFile, 30 * dayMs)
    startMachineAnew(box.databaseFile)
    await using server = await box.serve()
    await server.says('stderr', /this box saw it last at .*, more than a week before: retention waits/)
  })
})

describe('a pass that would take most of an account', () => {
  test('waits: list and doctor say what for, and one that is allowed is not asked about again', async () => {
    await using box = await aServedBox()
    ageRecords(box.databaseFile, fourYearsMs)
    await using server = await box.serve()
    await server.says('stderr', /"level":"warn".*capture retention allow acme.*"due":12,"kept":0/)
    expect(await kept(box)).toBe(sent)
    expect(await retentionOf(box)).toMatchObject({
      clock: { believed: true },
      accounts: [{ account: 'acme', submissionsDays: 1096, waits: { class: 'submissions', due: 12, allowed: false } }],
    })
    expect(await findings(box, 'retention')).toMatchObject([
      { status: 'warning', advice: expect.stringContaining('capture retention allow acme') },
    ])
    await box.done(['retention', 'allow', 'acme'])
    await server.says('stderr', /"message":"Retention deleted/)
    expect(await kept(box)).toBe(0)
    expect(await box.done(['retention', 'allow', 'acme'])).toBe('No deletion of acme waits.\n')
    expect(await box.done(['retention', 'list'])).not.toContain('waits')
  })

  test('does not wait where most is kept', async () => {
    await using box = await aServedBox(2 * sent)
    ageRecords(box.databaseFile, fourYearsMs, sent)
    await using server = await box.serve()
    await server.says('stderr', /"message":"Retention deleted[^\n]*"submissions":12/)
    expect(await kept(box)).toBe(sent)
  })
})

describe('a shorter term', () => {
  test('is announced by apply with how many records it makes due and when, and goes ahead without being asked about', async () => {
    await using box = await aServedBox(sent, {})
    ageRecords(box.databaseFile, 40 * dayMs)
    const folder = folderWith(box, { submissions: '30d', events: '1y' })
    const dry = await box.done(['apply', folder, '--dry-run'])
    expect(dry).toContain('retention: 12 submissions would be due: a running `serve` would delete them within an hour')
    expect(JSON.parse(await box.done(['apply', folder, '--dry-run', '--json']))).toMatchObject({
      retention: { submissions: { due: 12, nextDueAt: null }, events: { due: 0, nextDueAt: null } },
    })
    expect(await kept(box)).toBe(sent)
    expect(await box.done(['apply', folder])).toContain('retention: 12 submissions are due')
    expect(await box.done(['apply', folder])).toBe('acme: nothing to change.\n')
    await using server = await box.serve()
    await server.says('stderr', /"message":"Retention deleted[^\n]*"submissions":12/)
    expect(await kept(box)).toBe(0)
  })

  test('deletes nothing while the clock is doubted, and apply says so', async () => {
    await using box = await aServedBox(sent, {})
    jumpAhead(box.databaseFile, fourYearsMs)
    const announced = await box.done(['apply', folderWith(box, { submissions: '30d' })])
    expect(announced).toContain('retention: 12 submissions are due')
    expect(announced).toContain('capture retention trust-clock')
  })

  test('that makes nothing due yet is announced with the day on which it will', async () => {
    await using box = await BinaryBox.make()
    await box.apply(aSite())
    {
      await using server = await box.serve()
      await server.send(eventRequest())
      await server.stop()
    }
    const folder = folderWith(box, { events: '10d' })
    const [, day = ''] =
      /no events, page views and clicks are due before (\S+)/.exec(await box.done(['apply', folder])) ?? []
    const days = (Date.parse(day) - Date.now()) / dayMs
    expect(Math.abs(days - 10)).toBeLessThan(1.1)
  })
})

test('records with a time of receipt in the future are named by doctor', async () => {
  await using box = await aServedBox()
  ageRecords(box.databaseFile, -fourYearsMs)
  expect(await findings(box, 'clock')).toMatchObject([
    { status: 'ok' },
    { status: 'warning', found: expect.stringContaining('12 records have a time of receipt in the future') },
  ])
})

test('a clock that was believed while it was ahead is behind afterwards: retention waits until it is told which is right', async () => {
  await using box = await aServedBox()
  jumpAhead(box.databaseFile, -fourYearsMs)
  await using server = await box.serve()
  await server.says('stderr', /this box has already seen .*: retention waits/)
  await box.done(['retention', 'trust-clock'])
  expect(await retentionOf(box)).toMatchObject({ clock: { believed: true } })
  await server.says('stderr', /The clock is plausible again/)
})
