import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { collision } from '../../../processing/a-collision.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const folder = join(import.meta.dir, '../../../../drizzle')
const file = readdirSync(folder).find((name) => name.endsWith('_visitor_returns.sql')) ?? ''
const migration = readFileSync(join(folder, file), 'utf8')

test('a box from before gets the returns of visitors that it would have counted', async () => {
  await fc.assert(
    fc.asyncProperty(collision, async (entries) => {
      await using box = new AForgettingBox()
      box.capture(...entries)
      const returns = () =>
        box
          .rows<{ count: number }>("SELECT * FROM day_figure WHERE measure = 'visitor_return'")
          .filter(({ count }) => count !== 0)
          .map((row) => JSON.stringify(row))
          .sort()
      const counted = returns()
      box.connection.raw.run("DELETE FROM day_figure WHERE measure = 'visitor_return'")
      box.connection.raw.run(migration)
      expect(returns()).toEqual(counted)
    }),
    { numRuns: 15, endOnFailure: true },
  )
})
