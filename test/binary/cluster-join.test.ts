import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax, builtExecutable } from '../harness/executable.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { type S3Server, startS3Server } from '../harness/s3-server.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { becomeNode, joins, leads } from './harness/cluster-node.ts'
import { getRequest, numberedForm } from './harness/requests.ts'

let postgres: Postgres
let s3: S3Server
beforeAll(async () => {
  ;[postgres, s3] = await Promise.all([startPostgres(), startS3Server()])
  await builtExecutable()
}, buildMsMax)
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await s3[Symbol.asyncDispose]()
})

const site = aSite({ files: { 'pages/launch.html': 'Hello from the first' }, forms: [aForm()] })

interface Node {
  name: string
  url: string
  bucket: string
  secret?: number
}

function becomesNode(box: BinaryBox, { name, url, bucket, secret }: Node): void {
  const bucketKeys = { s3_access_key: s3.accessKey, s3_secret_key: s3.secretKey }
  const store = { store: `s3://${bucket}/cluster`, s3_endpoint: s3.endpoint, s3_region: s3.region, ...bucketKeys }
  becomeNode(box, { url, node: name, ...store }, secret)
}

const submissionsIn = ({ databaseFile }: BinaryBox): number => {
  const raw = new Database(databaseFile, { readonly: true })
  try {
    return raw.query<{ n: number }, []>('SELECT count(*) AS n FROM submission_fact').get()?.n ?? 0
  } finally {
    raw.close()
  }
}

test('a second machine joins from the bucket, has what came before and after, and serves what the first published', async () => {
  const shared = { url: await postgres.newDatabase(), bucket: s3.bucket() }
  await using first = await BinaryBox.make()
  await using second = await BinaryBox.make()
  await first.apply(site)
  becomesNode(first, { name: 'a', ...shared })
  becomesNode(second, { name: 'b', ...shared })
  const early = await second.run(['cluster', 'join'])
  expect(early.stderr).toContain('There is no cluster in this database yet.')

  await using leader = await first.serve()
  await leader.send(numberedForm(1))
  await joins(second, shared.url)
  await first.apply(
    aSite({ ...site, files: { 'pages/launch.html': 'Hello from the first', 'pages/later.html': 'Later' } }),
  )
  await using follower = await second.serve()
  expect((await follower.send(getRequest('/later'))).text).toBe('Later')
  await leader.send(numberedForm(2))
  await eventually('the follower has both submissions', async () => submissionsIn(second) === 2)
  const page = await follower.send(getRequest('/launch'))
  expect([page.status, page.text]).toEqual([200, 'Hello from the first'])
  const again = await second.run(['cluster', 'join'])
  expect(again.stderr).toContain('is in use or not empty')
})

test('what keeps a machine from joining is said, and changes nothing', async () => {
  const shared = { url: await postgres.newDatabase(), bucket: s3.bucket() }
  await using first = await BinaryBox.make()
  await using second = await BinaryBox.make()
  await first.apply(site)
  becomesNode(first, { name: 'a', ...shared, secret: 8 })
  becomesNode(second, { name: 'b', ...shared, secret: 9 })
  const told = async (): Promise<string> => (await second.run(['cluster', 'join'])).stderr
  {
    await using _leader = await first.serve()
    await eventually('there is a base', async () => (await told()).includes('does not open with the secret'))
  }
  becomesNode(second, { name: 'b', ...shared, secret: 8 })
  await s3.stop()
  expect(await told()).toContain('cannot be reached: the connection was refused. Nothing was changed.')
  await s3.start()
  await postgres.crash()
  expect(await told()).toContain('The cluster’s database does not answer')
  await postgres.start()
  mkdirSync(second.dataDir)
  const mine = join(second.dataDir, 'mine.txt')
  writeFileSync(mine, '')
  expect(await told()).toContain('is in use or not empty')
  rmSync(mine)
  expect(await told()).toBe('')
})

test('a database that refuses a node is named by the command that asks it', async () => {
  const url = (await postgres.newDatabase()).replace(/[^/]+$/, 'nosuch')
  await using box = await BinaryBox.make()
  await box.apply(site)
  becomesNode(box, { name: 'a', url, bucket: s3.bucket() })
  const { status, stderr } = await box.run(['cluster', 'status'])
  expect([status, stderr]).toEqual([1, expect.stringContaining('refuses this node ([cluster] url): database "nosuch"')])
})

test('a folder that did not join is not served beside a cluster, and can still join', async () => {
  const shared = { url: await postgres.newDatabase(), bucket: s3.bucket() }
  await using first = await BinaryBox.make()
  await using second = await BinaryBox.make()
  await first.apply(site)
  becomesNode(first, { name: 'a', ...shared })
  becomesNode(second, { name: 'b', ...shared })
  await using _leader = await first.serve()
  await eventually('the first leads', () => leads(first))
  const refused = await second.run(['serve'])
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('`capture cluster join` fills an empty folder'),
  ])
  for (const argv of [
    ['cluster', 'status'],
    ['token', 'list'],
  ])
    expect((await second.run(argv)).stderr).toContain('`capture cluster join` fills it from the cluster')
  await joins(second, shared.url)
  becomesNode(second, { name: 'a', ...shared })
  expect((await second.run(['serve'])).stderr).toContain('Another machine serves as "a"')
})
