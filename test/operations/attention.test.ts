import { expect, test } from 'bun:test'
import { loadConfig } from '../../src/config/load.ts'
import { newName } from '../../src/https/keeper/name-steps.ts'
import { derivedId } from '../../src/lib/id.ts'
import type { AlertState } from '../../src/operations/alert/alert-news.ts'
import { attention, attentionOfBox } from '../../src/operations/overview/attention.ts'

const now = Date.UTC(2026, 10, 22)
const { config } = loadConfig({ env: {}, cwd: '/nowhere', systemFile: '/nowhere/capture.toml' })

const aBox = (hosts: string[], alerts: AlertState) =>
  ({
    config: { ...config, https: { ...config.https, mode: 'auto' as const } },
    clock: { now: () => now, sleep: () => Promise.resolve() },
    overview: {
      stoppedDestinations: async () => [],
      mailingAccounts: async () => [],
      addedReceivers: async () => [],
      refusals: async () => [],
      missing: async () => [],
      latestLeads: async () => [],
    },
    certificates: { names: async () => hosts.map((host) => newName(host, null, now)) },
    freeMegabytes: async () => 100_000,
    targetState: () => null,
    alertState: () => alerts,
    isServed: () => true,
  }) as unknown as Parameters<typeof attention>[0]

/** What the check finds of the box, and not of an account. */
const foundOfBox = async (check: string, alerts: AlertState = {}): Promise<string[]> =>
  (await attention(aBox([], alerts), { accounts: [], ofBox: true }))
    .filter((result) => result.check === check)
    .map(({ found }) => found)

/** What the owner is told of names that have no certificate, of which `go.acme.example` is connected. */
async function foundOf(...hosts: string[]): Promise<string[]> {
  const accounts = [
    { id: 'id', handle: 'acme', name: 'Acme', timezone: 'UTC', noLeadsForHours: null, domains: ['go.acme.example'] },
  ]
  const all = await attention(aBox(hosts, {}), { accounts, ofBox: true })
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

const day = 86_400_000

/** What is found of accounts that expect a lead every three days; each with when it was made and its last lead. */
async function quietOf(...accounts: { madeAt: number; lastAt: number | null }[]): Promise<string[]> {
  const box = {
    config,
    clock: { now: () => now },
    overview: {
      ...{ stoppedDestinations: async () => [], addedReceivers: async () => [], refusals: async () => [] },
      mailingAccounts: async () => [],
      missing: async () => [],
      latestLeads: async () => accounts.map(({ lastAt }) => ({ today: 0, yesterday: 0, lastAt })),
    },
    certificates: { names: async () => [] },
    alertState: () => ({}),
  } as unknown as Parameters<typeof attention>[0]
  const named = accounts.map(({ madeAt }, index) => ({
    id: derivedId(madeAt, String(index)),
    ...{ handle: `account-${index}`, name: `Account ${index}` },
    ...{ timezone: 'UTC', domains: [], noLeadsForHours: 72 },
  }))
  return (await attention(box, { accounts: named, ofBox: false })).map(({ found }) => found)
}

test('an account without a lead for as long as it says needs attention, a new one only after that time', async () => {
  const old = now - 100 * day
  const found = await quietOf(
    { madeAt: old, lastAt: now - 3 * day },
    { madeAt: old, lastAt: now - 3 * day + 1 },
    { madeAt: old, lastAt: null },
    { madeAt: now - 2 * day, lastAt: null },
  )
  expect(found).toEqual([
    'Account 0 has had no lead for 3 days. The last one came at 2026-11-19 00:00:00 UTC.',
    'Account 2 has had no lead for 3 days. It has had none yet.',
  ])
})

test('alerts that cannot be sent need attention', async () => {
  const failure = { since: now - day, triedAt: now, error: 'smtp.agency.example:587 refused the login.' }
  const found = await foundOfBox('alerts', { mail: { announced: {}, sentAt: [], failure } })
  expect(found).toEqual([
    'Alerts cannot be sent by mail since 2026-11-21 00:00:00 UTC: smtp.agency.example:587 refused the login.',
  ])
})

test('a box that no backup leaves needs attention, and only of its owners', async () => {
  expect(await foundOfBox('backup')).toEqual(['No backup leaves this box. If the machine is lost, everything is lost.'])
  expect(await attention(aBox([], {}), { accounts: [], ofBox: false })).toEqual([])
})

test('the disk needs attention before page views are lost, and then says what is', async () => {
  const { minFreeMb } = config.limits
  const foundAt = async (freeMb: number) => {
    const box = { ...aBox([], {}), freeMegabytes: async () => freeMb }
    const found = (await attentionOfBox(box)).filter(({ check }) => check === 'disk')
    return found.map(({ status, found }) => [status, /[^:.]*stored/.exec(found)?.[0].trim()])
  }
  expect(await foundAt(2 * minFreeMb)).toEqual([])
  expect(await foundAt(2 * minFreeMb - 1)).toEqual([
    ['warning', `below ${minFreeMb} MB page views are no longer stored`],
  ])
  expect(await foundAt(minFreeMb - 1)).toEqual([['fault', 'Page views are no longer stored']])
  expect(await foundAt(minFreeMb / 2 - 1)).toEqual([['fault', 'Page views and events are no longer stored']])
})
