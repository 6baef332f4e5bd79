import { expect, test } from 'bun:test'
import { type AstrayDatabase, JoiningAnew, type Unshared } from '../../src/cluster/joining-anew.ts'

const nothing: Unshared = { records: 0, changes: 0, acts: [] }

/** A node that has joined anew, and looks through databases that were replaced as often as it is asked. */
function aNode(...databases: AstrayDatabase[]) {
  let nowMs = 0
  const said: string[] = []
  const say = (message: string, fields = {}): void => void said.push(`${message} ${JSON.stringify(fields)}`)
  const joining = new JoiningAnew({
    stage: async () => {},
    astray: () => databases,
    onStaged: () => {},
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    notices: { debug() {}, info: say, warn: say, error: say },
  })
  const settle = (): void => {
    joining.settle()
    nowMs += 30_000
  }
  return { settle, said }
}

function aDatabase(folder: string, unshared: () => Unshared) {
  const database = {
    ...{ folder, unshared, isRemoved: false },
    remove() {
      database.isRemoved = true
    },
  }
  return database
}

test('a replaced database goes once the cluster has all of it, and is named if it holds more at the second look', () => {
  const shared = aDatabase('one', () => nothing)
  const lacking = aDatabase('two', () => ({ records: 2, changes: 1, acts: ['account.apply'] }))
  const { settle, said } = aNode(shared, lacking)
  settle()
  expect([shared.isRemoved, lacking.isRemoved, said.length]).toEqual([true, false, 1])
  settle()
  expect(said.at(-1)).toContain('"folder":"two","records":2,"changes":1,"acts":"account.apply"')
})

test('one that cannot be read is named, stays, and keeps nobody from looking at the others', () => {
  const damaged = aDatabase('one', () => {
    throw new Error('the database is malformed')
  })
  const shared = aDatabase('two', () => nothing)
  const { settle, said } = aNode(damaged, shared)
  for (let times = 0; times < 3; times++) settle()
  expect([damaged.isRemoved, shared.isRemoved]).toEqual([false, true])
  expect(said.filter((line) => line.includes('"folder":"one","error":"the database is malformed"'))).toHaveLength(1)
})
