import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusalTable } from '../../src/capture/refusal.ts'
import { refusalKinds } from '../../src/console/audit/refused-tries.ts'
import { stateProblems } from '../../src/operations/cluster/cluster-findings.ts'
import { clusterFamilies } from '../../src/operator/cluster-figures.ts'
import {
  BackupFigures,
  CertificateFigures,
  ConsoleRefusals,
  DeliveryFigures,
  endpoints,
  RequestFigures,
} from '../../src/operator/figures.ts'
import { metricsText } from '../../src/operator/metrics.ts'
import { parseExposition } from '../harness/exposition.ts'
import { root } from './markdown.ts'

const textOf = (file: string): string => readFileSync(join(root, 'docs', file), 'utf8')
const page = textOf('monitoring.md')
const alerts = textOf('monitoring/alerts.yml')
const dashboard = textOf('monitoring/grafana-dashboard.json')

/** Every name that a sample of `/metrics` can have, with its labels. */
const labelsOfSamples = new Map(
  [...exposedByABusyBox().values()].flatMap(({ samples }) =>
    samples.map(({ name, labels }) => [name, Object.keys(labels)] as const),
  ),
)
const families = [...labelsOfSamples.keys()].map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))

interface Query {
  expr: string
}

const queriesOfAlerts = (Bun.YAML.parse(alerts) as { groups: { rules: Query[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
interface Panel {
  targets?: Query[]
  /** Of a row that is folded away. */
  panels?: Panel[]
}

const queriesOf = ({ targets = [], panels = [] }: Panel): Query[] => [...targets, ...panels.flatMap(queriesOf)]
const queriesOfDashboard = queriesOf(JSON.parse(dashboard))
const queries = [...queriesOfAlerts, ...queriesOfDashboard].map(({ expr }) => expr)

test('the alert rules and the dashboard have queries', () => {
  expect(queriesOfAlerts.length).toBeGreaterThan(5)
  expect(queriesOfDashboard.length).toBeGreaterThan(10)
})

test('every metric of the alert rules and the dashboard exists', () => {
  const named = [...`${alerts}\n${dashboard}`.matchAll(/\b(?:capture|process)_[a-z_]+/g)].map(([name]) => name)
  expect(named.filter((name) => !labelsOfSamples.has(name))).toEqual([])
})

test('every selector of a query names labels that its metric has, with values that it can have', () => {
  const values: Record<string, string[]> = {
    endpoint: [...endpoints, 'download'],
    check: [...Object.keys(refusalTable), 'no_script', 'destination'],
    kind: refusalKinds,
    state: [...Object.keys(stateProblems), 'waiting', 'delivered', 'failed'],
  }
  const wrong = queries.flatMap((query) =>
    [...query.matchAll(/\b([a-z_]+)\{([^}]*)\}/g)].flatMap(([, metric = '', selector = '']) =>
      [...selector.matchAll(/([a-z]+)=~?"([^"]*)"/g)].filter(([, label = '', text = '']) => {
        const known = ['instance', 'job', ...(labelsOfSamples.get(metric) ?? [])].includes(label)
        const possible = values[label]
        return !known || (possible !== undefined && text.split('|').some((value) => !possible.includes(value)))
      }),
    ),
  )
  expect(wrong.map(([text]) => text)).toEqual([])
})

test('every metric that a query groups by has that label', () => {
  const grouped = queries.flatMap((query) =>
    [...query.matchAll(/by \(([a-z, ]+)\)[^a-z]*(?:\([^a-z]*)*(?:rate|increase)\(([a-z_]+)/g)].flatMap(
      ([, labels = '', metric = '']) => labels.split(', ').map((label) => ({ metric, label })),
    ),
  )
  expect(grouped.length).toBeGreaterThan(10)
  const has = ({ metric, label }: { metric: string; label: string }) =>
    label === 'instance' || labelsOfSamples.get(metric)?.includes(label)
  expect(grouped.filter((one) => !has(one))).toEqual([])
})

test('docs/monitoring.md explains every metric and every endpoint, and no other', () => {
  const rows = [...page.matchAll(/^\| `((?:capture|process)_[a-z_]+)/gm)].map(([, name = '']) => name)
  expect(rows.sort()).toEqual([...new Set(families)].sort())
  expect(endpoints.filter((endpoint) => !page.includes(`\`${endpoint}\``))).toEqual([])
})

function exposedByABusyBox() {
  const requests = new RequestFigures()
  requests.of('form').note(200, 1)
  const certificates = new CertificateFigures({ now: () => 0 })
  certificates.use([{ host: 'go.acme.test', expiresAt: 1 }])
  const deliveries = new DeliveryFigures()
  deliveries.use({ waiting: 0, delivered: 0, failed: 0 })
  const backups = new BackupFigures({ now: () => 1 })
  backups.use({ url: 'file:///mnt/backup', safeAt: 0 })
  const reading = { bounds: [1], cumulative: [0, 0], sum: 0 }
  return parseExposition(
    metricsText({
      requests: requests.families(),
      certificates: certificates.family(),
      deliveries: deliveries.family(),
      backups: backups.family(),
      cluster: clusterFamilies({
        ...{ leads: true, takeovers: 0, isDatabaseUp: true, isStoreUp: true, applied: 1, behind: 0, skewSeconds: 0 },
        nodesByState: new Map(Object.keys(stateProblems).map((state) => [state, 0])),
        spoolBytes: 0,
        oldestUnsharedSeconds: 0,
      }),
      consoleRefusals: new ConsoleRefusals(refusalKinds).family(),
      refusals: [{ accountId: 'a', endpoint: 'form', check: 'origin', count: 1 }],
      handleOf: () => 'acme',
      commitSeconds: reading,
      commitEntries: reading,
      recordsWaiting: 0,
      diskFreeBytes: 0,
      residentBytes: 0,
      version: '1.0.0',
    }),
  )
}
