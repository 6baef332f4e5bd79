import { expect, test } from 'bun:test'
import { loadConfig } from '../../src/config/load.ts'
import { newName } from '../../src/https/keeper/name-steps.ts'
import { attention } from '../../src/operations/overview/attention.ts'

const now = Date.UTC(2026, 10, 22)
const { config } = loadConfig({ env: {}, cwd: '/nowhere', systemFile: '/nowhere/capture.toml' })

/** What the owner is told of names that have no certificate, of which `go.acme.example` is connected. */
async function foundOf(...hosts: string[]): Promise<string[]> {
  const box = {
    config: { ...config, https: { ...config.https, mode: 'auto' as const } },
    clock: { now: () => now, sleep: () => Promise.resolve() },
    overview: {
      stoppedDestinations: async () => [],
      addedReceivers: async () => [],
      refusals: async () => [],
      missing: async () => [],
    },
    certificates: { names: async () => hosts.map((host) => newName(host, null, now)) },
    freeMegabytes: async () => 100_000,
    targetState: () => null,
    isServed: () => true,
  } as unknown as Parameters<typeof attention>[0]
  const accounts = [{ id: 'id', handle: 'acme', name: 'Acme', timezone: 'UTC', domains: ['go.acme.example'] }]
  const all = await attention(box, { accounts, ofBox: true })
  return all.filter(({ check }) => check === 'certificate').map(({ found }) => found)
}

test('a name of an account and one of the box need attention while they have no certificate', async () => {
  expect(await foundOf('go.acme.example', config.server.previewHost)).toEqual([
    'go.acme.example has no certificate.',
    `${config.server.previewHost} has no certificate.`,
  ])
})

test('a domain that an account has dropped does not, though the service has not noted that yet', async () => {
  expect(await foundOf('old.acme.example')).toEqual([])
})
