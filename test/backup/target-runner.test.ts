import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { readHead, readNames } from '../../src/backup/format/bundle.ts'
import { assetListName, listBases, listIncrements } from '../../src/backup/format/object-names.ts'
import { type StoredObject, TargetFault } from '../../src/backup/target/backup-target.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { readMigrations } from '../../src/storage/sqlite/database/migrations.ts'
import { eventually } from '../harness/eventually.ts'
import { MemoryTarget } from '../harness/memory-target.ts'
import { TemporaryDatabase } from '../storage/sqlite/temporary-database.ts'
import { assembled, contentsOf } from './assembled.ts'
import { BackedUpBox } from './backed-up-box.ts'

/** Fails while it is told to, before or after an object was stored. */
class FaultyTarget extends MemoryTarget {
  fault: 'none' | 'before' | 'after' = 'none'
  words: { kind: TargetFault['kind']; message: string } = { kind: 'away', message: 'cannot be reached: for this test' }
  /** Names of objects that fail. */
  pattern = /./

  override async put(name: string, bytes: Uint8Array): Promise<void> {
    const fails = this.pattern.test(name)
    if (fails && this.fault === 'before') throw new TargetFault(this.words.kind, this.words.message)
    await super.put(name, bytes)
    if (fails && this.fault === 'after') throw new TargetFault('away', 'did not answer in time: for this test')
  }
}

/** Takes no contents before it may. */
class SlowContents extends MemoryTarget {
  readonly mayGo = Promise.withResolvers<void>()

  override async put(name: string, bytes: Uint8Array): Promise<void> {
    if (name.startsWith('assets/')) await this.mayGo.promise
    await super.put(name, bytes)
  }
}

/** Calls somebody before it stores a part of a base. */
class WatchedBases extends MemoryTarget {
  onPart = async (): Promise<void> => {}

  override async put(name: string, bytes: Uint8Array): Promise<void> {
    if (/^bases\/.+\.\d+$/.test(name)) await this.onPart()
    await super.put(name, bytes)
  }
}

/** Gives no base back while it is away. */
class AwayAtReading extends MemoryTarget {
  isAway = false

  override async get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.isAway && name.startsWith('bases/')) throw new TargetFault('away', 'cannot be reached: for this test')
    return super.get(name)
  }
}

/** Calls somebody before it lists increments. */
class WatchedTarget extends MemoryTarget {
  onListing = async (): Promise<void> => {}

  override async *list(folder: string, after?: string): AsyncGenerator<StoredObject> {
    if (folder.startsWith('increments')) await this.onListing()
    yield* super.list(folder, after)
  }
}

class SlowTarget extends MemoryTarget {
  override async put(name: string, bytes: Uint8Array): Promise<void> {
    await Bun.sleep(100)
    await super.put(name, bytes)
  }
}

/** After so long, every look compares the state. */
const longerThanStateDelayMs = 120_000

const increments = async (target: MemoryTarget) => await Array.fromAsync(listIncrements(target))

/** Waits until everything in the box is at its target, and compares the two. */
async function expectWhole(box: BackedUpBox, identities: string[] = []): Promise<void> {
  const { target } = box
  const last = () => box.connection.raw.query<{ last: number }, []>('SELECT max(sequence) AS last FROM ledger').get()
  await eventually('the last entry is at the target', async () => {
    const points = [...(await listBases(target)), ...(await Array.fromAsync(listIncrements(target)))]
    return points.some(({ to }) => to === (last()?.last ?? 0))
  })
  const present = contentsOf(box.connection.raw)
  await eventually('the state is at the target', async () =>
    Bun.deepEquals(await assembled(target, identities).catch(() => null), present),
  )
}

describe('a target that is kept up to date', () => {
  test('has a base from the start, and then what is new, without gaps', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.database.addAccount('acme')
    box.capture(5)
    box.start()
    await eventually('there is a base', async () => (await listBases(target)).length === 1)
    for (let round = 0; round < 3; round++) {
      box.capture(700)
      await expectWhole(box)
    }
    const points = await increments(target)
    expect(points.slice(1).map(({ from }) => from)).toEqual(points.slice(0, -1).map(({ to }) => to))
    expect(points.map(({ number }) => number)).toEqual(points.map((_, index) => index))
  })

  test('gets nothing while nothing happens, and stays as young as the last look', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.start()
    await eventually('the first increment is there', async () => (await increments(target)).length === 1)
    const { safeAt } = box.state
    await eventually('it was looked at again', async () => (box.state.safeAt ?? 0) > (safeAt ?? 0) + 100)
    expect(await increments(target)).toHaveLength(1)
  })

  test('gets changed, added and removed rows of the state', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    const { raw } = box.connection
    for (let number = 0; number < 200; number++) box.database.addAccount(`account-${number}`)
    box.start()
    await expectWhole(box)
    raw.run(`UPDATE account SET handle = 'renamed' WHERE row = 7`)
    raw.run('DELETE FROM account WHERE row > 100')
    raw.run(`INSERT INTO signing_key (id, purpose, secret, created_at) VALUES ('key', 'link', ?, 0)`, [
      new Uint8Array([0, 255, 10]),
    ])
    await expectWhole(box)
    box.database.addAccount('another')
    await expectWhole(box)
  })

  test('goes on after a restart where it was', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.start()
    box.capture(3)
    await expectWhole(box)
    await box.stop()
    box.database.addAccount('while-it-was-off')
    box.capture(4)
    box.start()
    await expectWhole(box)
    expect(await listBases(target)).toHaveLength(1)
    const points = await increments(target)
    expect(points.slice(1).map(({ from }) => from)).toEqual(points.slice(0, -1).map(({ to }) => to))
  })

  test('is sealed where there are recipients, and says nothing', async () => {
    const identity = await generateX25519Identity()
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target, { terms: { recipients: [await identityToRecipient(identity)] } })
    box.database.addAccount('anna-at-customer')
    box.start()
    await expectWhole(box, [identity])
    box.database.addAccount('anna-at-customer-2')
    await expectWhole(box, [identity])
    const stored = [...target.objects].map(([name, bytes]) => name + Buffer.from(bytes).toString('latin1')).join()
    for (const word of ['anna-at-customer', 'SQLite', 'CREATE TABLE', 'handle']) expect(stored).not.toContain(word)
  })

  test('that is away costs nothing but age', async () => {
    const target = new FaultyTarget()
    await using box = new BackedUpBox(target)
    box.start()
    await expectWhole(box)
    target.fault = 'before'
    box.capture(10)
    await eventually('the fault is noted', async () => box.state.fault !== null)
    const { safeAt } = box.state
    box.capture(10)
    box.database.addAccount('meanwhile')
    expect(box.state).toMatchObject({ safeAt, fault: { message: 'cannot be reached: for this test' } })
    target.fault = 'none'
    await expectWhole(box)
    await eventually('the fault is over', async () => box.state.fault === null)
    const said = box.lines.map(({ message }) => message)
    expect(said.filter((message) => message.startsWith('A backup failed'))).toHaveLength(1)
    expect(said).toContain('Backups reach the target again.')
  })

  test('keeps its history when an increment comes while a base is begun beside the service', async () => {
    const target = new WatchedTarget()
    await using box = new BackedUpBox(target)
    box.database.addAccount('acme')
    box.capture(1)
    box.start()
    await expectWhole(box)
    const { history } = box.state
    target.onListing = async () => {
      target.onListing = async () => {}
      const before = target.objects.size
      box.capture(1)
      await eventually('the service puts an increment', async () => target.objects.size > before)
    }
    const { owner, base } = await box.holdBeside()
    expect([owner.history, base?.history]).toEqual([history as string, history as string])
  })

  test('whose first base is begun by two at once is not taken for a copy’s, then or by the next process', async () => {
    const target = new SlowTarget()
    await using box = new BackedUpBox(target)
    box.start()
    const { owner } = await box.holdBeside()
    await expectWhole(box)
    expect((await listBases(target)).map(({ history }) => history)).toEqual([owner.history])
    await box.stop()
    box.start()
    box.capture(1)
    await expectWhole(box)
    expect(box.state.fault).toBeNull()
    expect(box.lines.map(({ message }) => message)).not.toContain('A backup failed; it is tried again.')
  })

  test('that is slow gets everything, later', async () => {
    const target = new SlowTarget()
    await using box = new BackedUpBox(target)
    box.start()
    await expectWhole(box)
    for (let round = 0; round < 5; round++) {
      box.capture(20)
      await Bun.sleep(30)
    }
    await expectWhole(box)
    expect(box.state.fault).toBeNull()
  })

  test('that is full says so, and is caught up with once there is room', async () => {
    const target = new FaultyTarget()
    target.words = { kind: 'full', message: 'has no room (ENOSPC)' }
    await using box = new BackedUpBox(target)
    box.start()
    await expectWhole(box)
    target.fault = 'before'
    box.capture(10)
    await eventually('the fault is noted', async () => box.state.fault?.message === 'has no room (ENOSPC)')
    target.fault = 'none'
    await expectWhole(box)
  })

  test('gets bases alone where increments are off', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target, { terms: { incrementEveryMs: 0, baseEveryMs: 50 } })
    box.capture(3)
    box.start()
    await eventually('there are two bases', async () => (await listBases(target)).length >= 2)
    expect(await increments(target)).toEqual([])
    await eventually('the state tells of the latest', async () => {
      const bases = await listBases(target)
      return box.state.safeAt === bases.at(-1)?.at
    })
  })

  test('gets a base after the database was migrated, before any other increment', async () => {
    const target = new MemoryTarget()
    const database = new TemporaryDatabase()
    await using box = new BackedUpBox(target, { database })
    box.capture(3)
    box.start()
    await expectWhole(box)
    // The base alone has the first three.
    box.capture(1)
    await expectWhole(box)
    await box.stop()
    database.migrateFurther()
    box.capture(3)
    box.start()
    await eventually('there is a base of the new schema', async () => (await listBases(target)).length === 2)
    const [, second] = await listBases(target)
    box.capture(1)
    await eventually('increments go on', async () => (await increments(target)).some(({ to }) => to === 8))
    const schemas = new Map<boolean, Set<number>>()
    for (const { name, at } of await increments(target)) {
      const isLater = at > (second?.at ?? 0)
      const { header } = await readHead(target, name, 'increment')
      schemas.set(isLater, (schemas.get(isLater) ?? new Set()).add(header.schema))
    }
    expect(schemas).toEqual(
      new Map([
        [false, new Set([readMigrations().length])],
        [true, new Set([readMigrations().length + 1])],
      ]),
    )
  })

  test('that stores what it says it did not is no less whole', async () => {
    const target = new FaultyTarget()
    await using box = new BackedUpBox(target)
    box.start()
    await expectWhole(box)
    target.fault = 'after'
    box.capture(10)
    await eventually('the fault is noted', async () => box.state.fault !== null)
    box.connection.raw.run(`INSERT INTO domain (host, account_row) SELECT 'a.test', 1 WHERE FALSE`)
    box.database.addAccount('meanwhile')
    box.capture(10)
    target.fault = 'none'
    await expectWhole(box)
  })

  test('keeps nobody who stops waiting for a copy of the database', async () => {
    const copying = Promise.withResolvers<void>()
    const copier = (_from: string, _to: string, signal: AbortSignal) => {
      copying.resolve()
      return new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target, { copier })
    box.start()
    await copying.promise
    await box.stop()
    expect(await listBases(target)).toEqual([])
    expect(readdirSync(box.database.dir).filter((name) => name.startsWith('copy-'))).toEqual([])
    expect(box.lines.filter(({ message }) => message.includes('failed'))).toEqual([])
  })

  test('whose bases fail goes on getting increments', async () => {
    const target = new FaultyTarget()
    await using box = new BackedUpBox(target, { terms: { baseEveryMs: 200 } })
    box.start()
    await expectWhole(box)
    target.pattern = /^bases/
    target.fault = 'before'
    await eventually('a base has failed', async () => box.state.fault !== null)
    box.capture(5)
    await expectWhole(box)
    const points = await increments(target)
    expect(points.length).toBeGreaterThan(1)
  })

  test('gets a base when one is due, and a new chain with it', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target, { terms: { baseEveryMs: 150 } })
    box.start()
    await eventually('there are three bases', async () => {
      box.capture(1)
      return (await listBases(target)).length >= 3
    })
    await box.stop()
    box.capture(1)
    box.start()
    await expectWhole(box)
    expect(new Set((await increments(target)).map(({ chain }) => chain)).size).toBeGreaterThanOrEqual(3)
  })

  test('gets the first base before large contents', async () => {
    const target = new SlowContents()
    await using box = new BackedUpBox(target)
    box.database.addAccount('acme')
    const name = box.publish('film'.repeat(5_000_000), 1)
    box.start()
    box.capture(2)
    await expectWhole(box)
    expect(target.objects.has(name)).toBe(false)
    target.mayGo.resolve()
    await eventually('a base names the content', async () => (await listBases(target)).length === 2)
    expect(target.objects.has(name)).toBe(true)
  })

  test('gets a base that names large contents from the next process, if the first base went before them', async () => {
    const target = new SlowContents()
    await using box = new BackedUpBox(target)
    box.database.addAccount('acme')
    const name = box.publish('film'.repeat(5_000_000), 1)
    box.start()
    await expectWhole(box)
    const stopping = box.stop()
    target.mayGo.resolve()
    await stopping
    box.start()
    await eventually('there is a second base', async () => (await listBases(target)).length === 2)
    const [, second] = await listBases(target)
    expect(await readNames(target, assetListName(second?.name ?? 'none'))).toEqual([name.slice('assets/'.length)])
  })

  test('gets contents that are published while a large base is on its way, before that ends', async () => {
    const target = new WatchedBases()
    const clock = {
      ahead: 0,
      now: () => Date.now() + clock.ahead,
      monotonicMs: () => systemClock.monotonicMs() + clock.ahead,
    }
    await using box = new BackedUpBox(target, { clock })
    box.database.addAccount('acme')
    box.start()
    await expectWhole(box)
    const { raw } = box.connection
    const long = JSON.stringify({ name: 'x'.repeat(4_000_000) })
    for (let row = 0; row < 6; row++)
      raw.run(`INSERT INTO ledger (account_row, kind, id, received_at, record, checksum) VALUES (1, 2, ?, 0, ?, 0)`, [
        `long-${row}`,
        long,
      ])
    let name = 'none'
    target.onPart = async () => {
      target.onPart = async () => {}
      name = box.publish('<h1>Launch</h1>', 1)
      raw.run('UPDATE box SET revision = revision + 1')
      clock.ahead += longerThanStateDelayMs
      const before = (await increments(target)).length
      await eventually('a look that began later has ended', async () => {
        box.capture(1)
        return (await increments(target)).length > before + 2
      })
    }
    clock.ahead = 2 * 3_600_000
    await eventually('there is a second base', async () => (await listBases(target)).length === 2)
    const names = [...target.objects.keys()]
    expect(names).toContain(name)
    expect(names.indexOf(name)).toBeLessThan(names.indexOf((await listBases(target))[1]?.name ?? 'none'))
  })

  test('has published contents once, and says which ones a base needs', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.database.addAccount('acme')
    const name = box.publish('<h1>Launch</h1>', 1)
    box.start()
    await expectWhole(box)
    const [base] = await listBases(target)
    expect([...target.objects.keys()].filter((name) => name.startsWith('assets/'))).toEqual([name])
    const list = Buffer.from(target.objects.get(`${base?.name}.assets`) ?? '')
    expect(list.toString('latin1')).toContain('capture-backup 1 ')
  })

  test('whose contents are damaged or missing has them again after the weekly check', async () => {
    const target = new MemoryTarget()
    const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead }
    await using box = new BackedUpBox(target, { clock, terms: { baseEveryMs: 100 * 86_400_000 } })
    box.database.addAccount('acme')
    const names = ['damaged', 'missing'].map((text, row) => box.publish(text, row + 1))
    box.start()
    await eventually('it was checked', async () => box.state.verifiedAt !== null)
    const stored = names.map((name) => target.objects.get(name))
    target.objects.set(names[0] ?? '', new Uint8Array(100))
    target.objects.delete(names[1] ?? '')
    clock.ahead = 8 * 86_400_000
    await eventually('it was checked again', async () => (box.state.verifiedAt ?? 0) > Date.now() + 86_400_000)
    expect(box.state.fault).toBeNull()
    expect(names.map((name) => target.objects.get(name))).toEqual(stored)
  })

  test('that was away at its weekly check is checked again a minute later', async () => {
    const target = new AwayAtReading()
    const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead }
    await using box = new BackedUpBox(target, { clock, terms: { baseEveryMs: 100 * 86_400_000 } })
    box.start()
    await eventually('it was checked', async () => box.state.verifiedAt !== null)
    target.isAway = true
    clock.ahead = 8 * 86_400_000
    await eventually('the check failed', async () => box.state.fault !== null)
    target.isAway = false
    clock.ahead += 90_000
    await eventually('it was checked again', async () => box.state.fault === null)
    expect(box.state.verifiedAt).toBeGreaterThan(Date.now() + 7 * 86_400_000)
  })

  test('whose latest base is damaged gets another one after the weekly check', async () => {
    const target = new MemoryTarget()
    const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead }
    await using box = new BackedUpBox(target, {
      clock,
      terms: { baseEveryMs: 100 * 86_400_000, keepMs: 100 * 86_400_000 },
    })
    box.start()
    await eventually('it was checked', async () => box.state.verifiedAt !== null)
    const [first] = await listBases(target)
    target.objects.set(first?.name ?? '', new Uint8Array(100))
    clock.ahead = 8 * 86_400_000
    await eventually('it was checked again', async () => (box.state.verifiedAt ?? 0) > Date.now() + 86_400_000)
    expect(await listBases(target)).toHaveLength(2)
  })
})

describe('a target', () => {
  test('of another box is refused, and stays as it is', async () => {
    const target = new MemoryTarget()
    await using first = new BackedUpBox(target)
    await using second = new BackedUpBox(target)
    first.start()
    await expectWhole(first)
    second.start()
    await eventually('the second is refused', async () => second.state.fault !== null)
    expect(second.state.fault?.message).toContain('belongs to another box')
    first.capture(3)
    await expectWhole(first)
    expect(new Set((await listBases(target)).map(({ history }) => history)).size).toBe(1)
  })

  test('is written by the copy of a box that was started later, and no more by the other one', async () => {
    const target = new MemoryTarget()
    await using first = new BackedUpBox(target)
    first.start()
    await expectWhole(first)
    await using second = first.copy()
    second.start()
    await eventually('the first has noticed', async () => first.state.fault !== null)
    expect(first.state.fault?.message).toContain('another copy of this box')
    const owner = target.objects.get('owner')
    first.capture(2)
    second.capture(3)
    await expectWhole(second)
    await first.stop()
    first.start()
    second.capture(1)
    await expectWhole(second)
    expect(target.objects.get('owner')).toEqual(owner)
    expect(first.state.fault?.message).toContain('--take-over')
  })

  test('gets a new history when a copy of the box writes that lacks what the other one had sent', async () => {
    const target = new MemoryTarget()
    await using first = new BackedUpBox(target)
    first.start()
    await expectWhole(first)
    await using second = first.copy()
    first.capture(2)
    await expectWhole(first)
    await first.stop()
    second.capture(5)
    second.start()
    await expectWhole(second)
    expect(new Set((await listBases(target)).map(({ history }) => history)).size).toBe(2)
  })

  test('is not taken over by a copy of the box that was made before the latest start', async () => {
    const target = new MemoryTarget()
    await using first = new BackedUpBox(target)
    first.start()
    await expectWhole(first)
    await first.stop()
    await using second = first.copy()
    first.start()
    first.capture(1)
    await expectWhole(first)
    const owner = target.objects.get('owner')
    second.start()
    await eventually('the second is refused', async () => second.state.fault !== null)
    expect(second.state.fault?.message).toContain('another copy of this box')
    expect(target.objects.get('owner')).toEqual(owner)
    first.capture(1)
    await expectWhole(first)
    expect(first.state.fault).toBeNull()
  })

  test('gets a new history when the box was restored', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.capture(5)
    box.start()
    await expectWhole(box)
    await box.stop()
    box.connection.raw.run('DELETE FROM ledger WHERE sequence > 2')
    box.connection.raw.run(`UPDATE sqlite_sequence SET seq = 2 WHERE name = 'ledger'`)
    box.capture(1)
    box.start()
    await expectWhole(box)
    expect(new Set((await listBases(target)).map(({ history }) => history)).size).toBe(2)
  })

  test('that the folder does not know gets a new history', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.start()
    await expectWhole(box)
    await box.stop()
    box.forget()
    box.capture(1)
    box.start()
    await expectWhole(box)
    expect(await listBases(target)).toHaveLength(2)
  })

  test('that somebody has emptied gets a base again', async () => {
    const target = new MemoryTarget()
    await using box = new BackedUpBox(target)
    box.start()
    await expectWhole(box)
    target.objects.clear()
    box.capture(1)
    await expectWhole(box)
  })
})
