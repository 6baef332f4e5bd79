import { expect, test } from 'bun:test'
import {
  BackupFigures,
  CertificateFigures,
  ConsoleRefusals,
  DeliveryFigures,
  endpoints,
  RequestFigures,
} from '../../src/operator/figures.ts'
import { metricsText, type Observations } from '../../src/operator/metrics.ts'
import { parseExposition } from '../harness/exposition.ts'

const nothingRead = { bounds: [1], cumulative: [0, 0], sum: 0 }

const exposed = (seen: Partial<Observations>) =>
  parseExposition(
    metricsText({
      requests: new RequestFigures().families(),
      certificates: new CertificateFigures({ now: () => 0 }).family(),
      deliveries: new DeliveryFigures().family(),
      backups: new BackupFigures({ now: () => 0 }).family(),
      cluster: [],
      consoleRefusals: new ConsoleRefusals([]).family(),
      refusals: [],
      handleOf: (accountId) => `handle-of-${accountId}`,
      commitSeconds: nothingRead,
      commitEntries: nothingRead,
      recordsWaiting: 0,
      diskFreeBytes: 0,
      residentBytes: 0,
      version: '1.2.3',
      ...seen,
    }),
  )

test('accounts that were removed and those beyond the limit add up as other', () => {
  const refusal = { endpoint: 'form', check: 'size', count: 2 }
  const families = exposed({
    refusals: [
      { ...refusal, accountId: 'a' },
      { ...refusal, accountId: 'gone' },
      { ...refusal, accountId: null },
    ],
    handleOf: (accountId) => (accountId === 'a' ? 'acme' : null),
  })
  expect(families.get('capture_refusals')?.samples.map(({ labels, value }) => [labels, value])).toEqual([
    [{ account: 'acme', endpoint: 'form', check: 'size' }, 2],
    [{ account: 'other', endpoint: 'form', check: 'size' }, 4],
  ])
})

test('what cannot be read now is left out, and the rest is there', () => {
  const families = exposed({ recordsWaiting: null, diskFreeBytes: null })
  expect(families.get('capture_records_waiting')?.samples).toEqual([])
  expect(families.get('capture_disk_free_bytes')?.samples).toEqual([])
  expect(families.get('capture_build')?.samples[0]?.labels).toEqual({ version: '1.2.3' })
})

test('requests are counted by endpoint and status, and timed', () => {
  const figures = new RequestFigures()
  figures.of('form').note(200, 3)
  figures.of('form').note(200, 40)
  figures.of('form').note(503, 4000)
  const families = exposed({ requests: figures.families() })
  const counted = families.get('capture_requests')?.samples.filter(({ value }) => value > 0) ?? []
  expect(counted.map(({ labels, value }) => [labels, value])).toEqual([
    [{ endpoint: 'form', code: '200' }, 2],
    [{ endpoint: 'form', code: '503' }, 1],
  ])
  const ofForm =
    families.get('capture_request_seconds')?.samples.filter(({ labels }) => labels.endpoint === 'form') ?? []
  const below = (le: string) => ofForm.find(({ labels }) => labels.le === le)?.value
  expect([below('0.0025'), below('0.005'), below('0.05'), below('2.5'), below('5.0')]).toEqual([0, 1, 2, 2, 3])
})

test('the series of faults are there before the first fault, so that its rise is seen', () => {
  const samples = exposed({}).get('capture_requests')?.samples ?? []
  expect(samples.map(({ labels, value }) => [labels.code, value])).toEqual(
    endpoints.flatMap(() => [
      ['500', 0],
      ['503', 0],
    ]),
  )
})

test('the age of backups is counted from the latest moment that a target has, and not where it has none', () => {
  const figures = new BackupFigures({ now: () => 90_000 })
  figures.use({ url: 's3://bucket/prefix', safeAt: 60_000 })
  figures.use({ url: 'file:///mnt/backup', safeAt: null })
  expect(exposed({ backups: figures.family() }).get('capture_backup_age_seconds')?.samples).toMatchObject([
    { labels: { target: 's3://bucket/prefix' }, value: 30 },
  ])
})

test('deliveries are counted by state, and none on a box without destinations', () => {
  const figures = new DeliveryFigures()
  const samplesOf = () => exposed({ deliveries: figures.family() }).get('capture_deliveries')?.samples
  expect(samplesOf()?.map(({ value }) => value)).toEqual([0, 0, 0])
  figures.use({ waiting: 2, delivered: 5, failed: 1 })
  expect(samplesOf()?.map(({ labels, value }) => [labels, value])).toEqual([
    [{ state: 'waiting' }, 2],
    [{ state: 'delivered' }, 5],
    [{ state: 'failed' }, 1],
  ])
})
