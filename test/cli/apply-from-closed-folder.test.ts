import { expect, test } from 'bun:test'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { aSite, writeSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

const isRoot = process.getuid?.() === 0
/** Whoever owns the data folder of a service. */
const serviceUser = 65_534

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('capture-apply-'))

test.if(isRoot)('root publishes a folder of a closed home into a box of another user', async () => {
  using folder = await ADataFolder.with()
  const before = leftovers()
  writeSite(folder.path('home/acme'), aSite({ account: 'homely', files: { 'pages/launch.html': '<h1>Home</h1>' } }))
  chmodSync(folder.path('home'), 0o700)
  // The service's user reaches its own folder, and not the home beside it.
  chmodSync(folder.path('.'), 0o755)
  for (const name of ['.', ...readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' })])
    chownSync(`${folder.dataDir}/${name}`, serviceUser, serviceUser)
  const { stdout } = await folder.done(['apply', 'home/acme', '--json'])
  expect(JSON.parse(stdout).pages).toMatchObject([{ slug: 'launch', state: 'live' }])
  expect(leftovers()).toEqual(before)
})
