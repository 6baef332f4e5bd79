import { expect, test } from 'bun:test'
import { loadConfig } from '../../src/config/load.ts'
import { publicBase } from '../../src/config/own-hosts.ts'

const configWith = (env: Record<string, string>) =>
  loadConfig({ env, cwd: '/nowhere', systemFile: '/nowhere/x' }).config
const host = 'go.acme.example'

test.each([
  [{}, 'http://go.acme.example:8080'],
  [{ CAPTURE_SERVER_LISTEN: '127.0.0.1:80' }, 'http://go.acme.example'],
  [{ CAPTURE_SERVER_TRUSTED_PROXIES: '127.0.0.1' }, 'https://go.acme.example'],
  [{ CAPTURE_HTTPS_MODE: 'files' }, 'https://go.acme.example'],
  [{ CAPTURE_HTTPS_MODE: 'files', CAPTURE_HTTPS_LISTEN: '[::]:8443' }, 'https://go.acme.example:8443'],
  [{ CAPTURE_HTTPS_MODE: 'files', CAPTURE_SERVER_PUBLIC_URL: 'http' }, 'http://go.acme.example'],
  [{ CAPTURE_SERVER_PUBLIC_URL: 'http' }, 'http://go.acme.example'],
  [{ CAPTURE_SERVER_PUBLIC_URL: 'https:8443' }, 'https://go.acme.example:8443'],
  [{ CAPTURE_SERVER_PUBLIC_URL: 'https:443' }, 'https://go.acme.example'],
])('with %j, addresses begin %s', (env: Record<string, string>, base) => {
  expect(publicBase(configWith(env), host)).toBe(base)
})
