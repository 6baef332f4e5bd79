import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPebble } from '../../harness/pebble.ts'
import { makeTlsAuthority } from '../../harness/tls-authority.ts'
import { clientOf } from './acme-world.ts'
import { problemIn } from './failure.ts'

const untrusted = 'its certificate is not from an authority trusted here'

test('a directory whose certificate is of the given root is trusted', async () => {
  await using ca = await startPebble({ caaIdentities: ['CA.test'] })
  expect((await clientOf(ca).offer()).caaIdentities).toEqual(['ca.test'])
})

test('any root of a file with several is trusted', async () => {
  await using ca = await startPebble()
  const trusted = `${makeTlsAuthority().root}${ca.ca}`
  expect((await clientOf(ca, { trusted }).offer()).tellsRenewal).toBe(true)
})

describe('a directory is not trusted', () => {
  test('whose certificate is of another root', async () => {
    await using ca = await startPebble()
    const problem = await problemIn(clientOf(ca, { trusted: makeTlsAuthority().root }).offer())
    expect(problem.kind).toBe('unreachable')
    expect(problem.detail).toEndWith(untrusted)
  })

  test('whose certificate is of a root that only the file would have named', async () => {
    await using ca = await startPebble()
    expect((await problemIn(clientOf(ca, { trusted: null }).offer())).detail).toEndWith(untrusted)
  })

  test('whose certificate is for another name', async () => {
    await using ca = await startPebble()
    const tls = makeTlsAuthority()
    const { certificate: cert, key } = tls.issue('DNS:other.test')
    using server = Bun.serve({ hostname: ca.address, port: 0, tls: { cert, key }, fetch: () => Response.json({}) })
    const directoryUrl = `https://${ca.address}:${server.port}/dir`
    const problem = await problemIn(clientOf(ca, { directoryUrl, trusted: tls.root }).offer())
    expect(problem.detail).toEndWith('its certificate is for another name')
  })

  test('that speaks plain http, or whose URL says so', async () => {
    await using ca = await startPebble()
    using server = Bun.serve({ hostname: ca.address, port: 0, fetch: () => Response.json({}) })
    const at = (scheme: string) =>
      clientOf(ca, { directoryUrl: `${scheme}://${ca.address}:${server.port}/dir` }).offer()
    expect((await problemIn(at('https'))).detail).toEndWith('no TLS on this port')
    expect((await problemIn(at('http'))).detail).toContain('an address that is not https')
  })
})

test('a file without a certificate is refused when the authority is opened', async () => {
  await using ca = await startPebble()
  expect(() => clientOf(ca, { trusted: 'nonsense' })).toThrow()
})

test('neither a proxy nor a switched-off verification of the environment changes anything', async () => {
  await using ca = await startPebble()
  const folder = await mkdtemp(join(tmpdir(), 'capture-acme-'))
  try {
    const script = join(folder, 'ask.ts')
    const source = join(import.meta.dir, '../../../src/https/acme/open-authority.ts')
    await Bun.write(
      script,
      `import { openAuthority } from ${JSON.stringify(source)}
const [directoryUrl, ...roots] = process.argv.slice(2)
for (const trusted of roots)
  await openAuthority({ directoryUrl, trusted, userAgent: 'capture/test' }).offer().then(() => console.log('trusted'), ({ kind }) => console.log(kind))`,
    )
    const child = Bun.spawn([process.execPath, script, ca.directoryUrl, ca.ca, makeTlsAuthority().root], {
      env: { HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      stderr: 'ignore',
    })
    expect(await child.stdout.text()).toBe('trusted\nunreachable\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})
