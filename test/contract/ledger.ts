import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Entry, EntryKind } from '../../src/ledger/entry.ts'
import { type Cursor, type Ledger, type LedgerQuery, LedgerUnavailable } from '../../src/ledger/ledger.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { JsonObject } from '../../src/lib/json-value.ts'
import { parseLosslessText } from '../../src/lib/lossless-json.ts'
import { click, pageView, submission, trackedEvent } from '../report/sample-entries.ts'
import { HeldClock } from './budget-store.ts'

/** A new, empty ledger on a box with two accounts. */
export interface OpenedLedger extends AsyncDisposable {
  ledger: Ledger
  accountIds: readonly [string, string]
  /** The same ledger as another process sees it. */
  elsewhere(): Ledger
  /** Keeps everybody from writing until it is disposed of. */
  holdWriting(): Disposable
}

const makers: Record<EntryKind, (base: Pick<Entry, 'id' | 'accountId' | 'receivedAt'>) => Entry> = {
  submission: (base) => submission(base),
  event: (base) => trackedEvent(base),
  page_view: (base) => pageView(base),
  click: (base) => click(base),
}
const kinds = Object.keys(makers) as EntryKind[]

const idsOf = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id)

/** What the port promises, for every implementation. */
export function ledgerContract(name: string, open: (clock: Clock) => Promise<OpenedLedger>): void {
  const opened = (): Promise<OpenedLedger> => open(new HeldClock(10_000))

  describe(name, () => {
    test.each(kinds)('a %s that was appended is read back as it was', async (kind) => {
      await using box = await opened()
      const entry = makers[kind]({ id: 'one', accountId: box.accountIds[0], receivedAt: 5 })
      await box.ledger.append([entry])
      expect(await readAll(box.ledger, { accountId: box.accountIds[0] })).toEqual([entry])
    })

    test('whatever was sent comes back with the same characters and digits', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const sent =
        '{"big":12345678901234567890,"one":1.0,"far":1e400,"text":"a\\tb\\n\\u2028\\u0000\\ud83d\\ude00","__proto__":{"a":1}}'
      await box.ledger.append([submission({ id: 'one', accountId, fields: parseLosslessText(sent) as JsonObject })])
      const [entry] = await readAll(box.ledger, { accountId })
      expect(entry?.kind === 'submission' ? JSON.stringify(entry.fields) : null).toBe(
        JSON.stringify(parseLosslessText(sent)),
      )
      expect(JSON.stringify(entry)).toContain('12345678901234567890,"one":1.0,"far":1e400')
    })

    test.each(['append', 'appendSoon'] as const)('`%s` resolves when everybody can read it', async (method) => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const elsewhere = box.elsewhere()
      await box.ledger[method]([trackedEvent({ id: 'one', accountId })])
      expect(idsOf(await readAll(elsewhere, { accountId }))).toEqual(['one'])
    })

    test('entries are read in the order in which they were appended, not by time or id', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const order = ['m', 'z', 'a', 'q']
      for (const [i, id] of order.entries()) {
        await box.ledger.append([trackedEvent({ id, accountId, receivedAt: 1000 - i })])
      }
      expect(idsOf(await readAll(box.ledger, { accountId }))).toEqual(order)
    })

    test('of many appends at once, each one’s entries stand together and in order', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const appends = Array.from({ length: 40 }, (_, i) => Array.from({ length: 5 }, (_, j) => `${i}-${j}`))
      await Promise.all(appends.map((ids) => box.ledger.append(ids.map((id) => trackedEvent({ id, accountId })))))
      const read = idsOf(await readAll(box.ledger, { accountId }))
      expect(read).toHaveLength(200)
      for (const ids of appends) {
        const from = read.indexOf(ids[0] ?? '')
        expect(read.slice(from, from + ids.length)).toEqual(ids)
      }
    })

    test('what follows an append that has resolved is read behind it', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const event = (id: string) => trackedEvent({ id, accountId })
      await box.ledger.append([event('one')])
      await Promise.all([box.ledger.appendSoon([event('soon')]), box.ledger.append([event('two')])])
      await box.ledger.append([event('three')])
      const read = idsOf(await readAll(box.ledger, { accountId }))
      expect([read[0], read.slice(1, 3).sort(), read[3]]).toEqual(['one', ['soon', 'two'], 'three'])
    })

    test('an append of nothing resolves', async () => {
      await using box = await opened()
      await box.ledger.append([])
      expect(await readAll(box.ledger, { accountId: box.accountIds[0] })).toEqual([])
    })

    test('an append that cannot be stored is rejected whole', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      await box.ledger.append([submission({ id: 'taken', accountId })])
      const append = box.ledger.append([
        trackedEvent({ id: 'before', accountId }),
        submission({ id: 'taken', accountId }),
        trackedEvent({ id: 'after', accountId }),
      ])
      expect(await outcomeOf(append)).toBe('LedgerUnavailable')
      expect(idsOf(await readAll(box.ledger, { accountId }))).toEqual(['taken'])
    })

    test('an append for an account that is not there is rejected, and those beside it are stored', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const outcomes = await Promise.all([
        outcomeOf(box.ledger.append([trackedEvent({ id: 'one', accountId })])),
        outcomeOf(box.ledger.append([trackedEvent({ id: 'two', accountId: 'nobody' })])),
        outcomeOf(box.ledger.append([trackedEvent({ id: 'three', accountId })])),
      ])
      expect(outcomes).toEqual(['stored', 'LedgerUnavailable', 'stored'])
      expect(idsOf(await readAll(box.ledger, { accountId }))).toEqual(['one', 'three'])
      expect(await readAll(box.ledger, { accountId: 'nobody' })).toEqual([])
    })

    test('reading does not wait for writing', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      await box.ledger.append([trackedEvent({ id: 'one', accountId })])
      using _held = box.holdWriting()
      expect(idsOf(await readAll(box.ledger, { accountId }))).toEqual(['one'])
    })

    test('an account’s entries are its own, and its cursors lead past the other’s', async () => {
      await using box = await opened()
      const [ours, theirs] = box.accountIds
      for (const i of [0, 1, 2]) {
        await box.ledger.append([trackedEvent({ id: `ours-${i}`, accountId: ours })])
        await box.ledger.append([trackedEvent({ id: `theirs-${i}`, accountId: theirs })])
      }
      expect(idsOf(await readAll(box.ledger, { accountId: ours }, 1))).toEqual(['ours-0', 'ours-1', 'ours-2'])
      expect(idsOf(await readAll(box.ledger, { accountId: theirs }, 2))).toEqual(['theirs-0', 'theirs-1', 'theirs-2'])
    })

    test('a cursor goes on where it stood, whatever came since, here and elsewhere', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const query = { accountId, limit: 100 }
      await box.ledger.append([trackedEvent({ id: 'one', accountId }), trackedEvent({ id: 'two', accountId })])
      const after = (await box.ledger.readAfter({ ...query, after: null })).at(-1)?.cursor ?? null
      expect(await box.ledger.readAfter({ ...query, after })).toEqual([])
      await box.ledger.append([trackedEvent({ id: 'three', accountId, receivedAt: 0 })])
      const behind = await box.elsewhere().readAfter({ ...query, after })
      expect(idsOf(behind.map(({ entry }) => entry))).toEqual(['three'])
    })

    test('a row once read never moves', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      const read = () => box.ledger.readAfter({ accountId, after: null, limit: 100 })
      await box.ledger.append([trackedEvent({ id: 'm', accountId, receivedAt: 500 })])
      const before = await read()
      await box.ledger.append([trackedEvent({ id: 'a', accountId, receivedAt: 1 })])
      expect((await read()).slice(0, 1)).toEqual(before)
    })

    test('a period holds its first instant and not its last', async () => {
      await using box = await opened()
      const [accountId] = box.accountIds
      for (const receivedAt of [99, 100, 150, 199, 200]) {
        await box.ledger.append([trackedEvent({ id: String(receivedAt), accountId, receivedAt })])
      }
      const period = { accountId, receivedFrom: 100, receivedBefore: 200 }
      expect(idsOf(await readAll(box.ledger, period, 2))).toEqual(['100', '150', '199'])
    })

    test(
      'any entries are read back by kind, period and page as from a plain list',
      async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(appendArb, { maxLength: 8 }),
            fc.array(queryArb, { minLength: 1 }),
            async (appends, queries) => {
              await using box = await opened()
              const list: Entry[] = []
              for (const [i, drafts] of appends.entries()) {
                const entries = drafts.map(({ kind, account, receivedAt }, j) =>
                  makers[kind]({ id: `${i}-${j}`, accountId: box.accountIds[account], receivedAt }),
                )
                await box.ledger.append(entries)
                list.push(...entries)
              }
              for (const { account, limit, ...filter } of queries) {
                const query = { accountId: box.accountIds[account], ...filter }
                const expected = list.filter((entry) => isWanted(entry, query))
                expect(idsOf(await readAll(box.ledger, query, limit))).toEqual(idsOf(expected))
              }
            },
          ),
          { numRuns: 12 },
        )
      },
      propertyMsMax,
    )
  })
}

/** Each run opens a box of its own. */
const propertyMsMax = 900_000

type Filter = Omit<LedgerQuery, 'after' | 'limit'>

const accountArb = fc.constantFrom(0 as const, 1 as const)
const appendArb = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), account: accountArb, receivedAt: fc.nat({ max: 20 }) }),
  { maxLength: 5 },
)
const queryArb = fc.record(
  {
    account: accountArb,
    limit: fc.integer({ min: 1, max: 7 }),
    kinds: fc.subarray(kinds, { minLength: 1 }),
    receivedFrom: fc.nat({ max: 20 }),
    receivedBefore: fc.nat({ max: 20 }),
  },
  { requiredKeys: ['account', 'limit'] },
)

const isWanted = (entry: Entry, query: Filter): boolean =>
  entry.accountId === query.accountId &&
  (query.kinds?.includes(entry.kind) ?? true) &&
  entry.receivedAt >= (query.receivedFrom ?? Number.NEGATIVE_INFINITY) &&
  entry.receivedAt < (query.receivedBefore ?? Number.POSITIVE_INFINITY)

/** Everything the query finds, page by page: a page is full unless it is the last. */
async function readAll(ledger: Ledger, query: Filter, limit = 100): Promise<Entry[]> {
  const entries: Entry[] = []
  let after: Cursor | null = null
  for (;;) {
    const rows = await ledger.readAfter({ ...query, after, limit })
    entries.push(...rows.map(({ entry }) => entry))
    if (rows.length < limit) return entries
    after = rows.at(-1)?.cursor ?? null
  }
}

const outcomeOf = (append: Promise<void>): Promise<string> =>
  append.then(
    () => 'stored',
    (error) => (error instanceof LedgerUnavailable ? error.name : String(error)),
  )
