import { expect, test } from 'bun:test'
import { isListenedOn, portHolder } from '../../../src/cli/serve/ports.ts'
import { freshConfigText, httpsHindrance } from '../../../src/cli/service/installation.ts'
import { configSchema } from '../../../src/config/config.ts'
import { decodeToml } from '../../../src/lib/toml/decode.ts'

const fresh = { previewHost: null, consoleHost: null, email: null, httpsHindrance: null, hasIpv6: true }

const read = (text: string) => {
  const { value, faults } = decodeToml(text, configSchema)
  if (value === null) throw new Error(JSON.stringify(faults))
  return value
}

test('behind somebody else on port 443 HTTPS stays off, the proxy is trusted, and it is said who that is', () => {
  const text = freshConfigText({
    ...fresh,
    httpsHindrance: 'port 443 was held by nginx (process 12)',
    email: 'a@b.example',
  })
  expect(text).toContain('# Off, since port 443 was held by nginx (process 12)')
  expect(read(text)).toMatchObject({
    server: { trusted_proxies: expect.arrayContaining([expect.anything()]) },
    https: { mode: 'off', email: 'a@b.example' },
  })
})

test('a machine without IPv6 listens on IPv4 alone', () => {
  expect(read(freshConfigText({ ...fresh, hasIpv6: false })).https).toMatchObject({
    mode: 'auto',
    listen: { host: '0.0.0.0', port: 443 },
    http_listen: { host: '0.0.0.0', port: 80 },
  })
})

test('a port that is listened on has a holder with a name, on one address as well', () => {
  using server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  expect(isListenedOn(server.port)).toBe(true)
  expect(portHolder(server.port)).toMatchObject({
    pid: process.pid,
    text: expect.stringContaining(`(process ${process.pid})`),
  })
})

test.skipIf(isListenedOn(80) || isListenedOn(443))('free ports are no hindrance', () => {
  expect(httpsHindrance()).toBeNull()
})

test('the console has the public name that was given, and none of its own accord', () => {
  expect(read(freshConfigText({ ...fresh, consoleHost: 'console.agency.dev' })).console.host).toBe('console.agency.dev')
  expect(read(freshConfigText(fresh)).console.host).toBeNull()
})
