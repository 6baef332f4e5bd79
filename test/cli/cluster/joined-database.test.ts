import { expect, test } from 'bun:test'
import { followerPorts } from '../../../src/cli/open.ts'
import { replicaOf } from '../../cluster/a-pair.ts'
import { TemporaryDatabase } from '../../storage/sqlite/temporary-database.ts'

test('a copy of the leader’s database, which takes minutes to check, is checked beside other work', async () => {
  await using database = new TemporaryDatabase()
  const leader = replicaOf(database.file)
  leader.found('box')
  leader.close()
  const { makeFollower } = await followerPorts()
  let turns = 0
  setImmediate(() => turns++)
  expect(await makeFollower(database.dir)).toBeNull()
  expect(turns).toBe(1)
})
