import { expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { aSite, writeSite } from '../harness/a-site.ts'
import { runCommand } from '../harness/capture-command.ts'
import { ADataFolder } from './a-data-folder.ts'

const isRoot = process.getuid?.() === 0
/** Whoever owns the data folder of a service. */
const serviceUser = 65_534

test.if(isRoot)('root publishes a folder of a closed home into a box of another user', async () => {
  using folder = await ADataFolder.with()
  const temporary = folder.path('tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  writeSite(folder.path('home/acme'), aSite({ account: 'homely', files: { 'pages/launch.html': '<h1>Home</h1>' } }))
  chmodSync(folder.path('home'), 0o700)
  // The service's user reaches its own folder, and not the home beside it.
  chmodSync(folder.path('.'), 0o755)
  for (const name of ['.', ...readdirSync(folder.dataDir, { recursive: true, encoding: 'utf8' })])
    chownSync(`${folder.dataDir}/${name}`, serviceUser, serviceUser)
  const { stdout } = await runCommand(['apply', 'home/acme', '--json'], folder.dir, { TMPDIR: temporary })
  expect(JSON.parse(stdout).pages).toMatchObject([{ slug: 'launch', state: 'live' }])
  expect(readdirSync(temporary)).toEqual([])
})
