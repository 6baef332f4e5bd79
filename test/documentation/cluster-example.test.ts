import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { root } from './markdown.ts'

// examples/cluster (docs/cluster.md).

const folder = join(root, 'examples/cluster')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

interface Compose {
  services: Record<string, { environment?: Record<string, string>; networks: unknown }>
}

const { services } = Bun.YAML.parse(read('compose.yaml')) as Compose
const nodes = ['a', 'b', 'c']

/** Reads a configuration whose secrets are there. */
function withSecrets<T>(work: (dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'capture-example-'))
  try {
    writeFileSync(join(dir, 'cluster.key'), Buffer.alloc(32, 7), { mode: 0o600 })
    for (const name of ['s3.access', 's3.secret']) writeFileSync(join(dir, name), name)
    writeFileSync(join(dir, 'database.url'), 'postgres://capture:hidden@db.internal/capture\n')
    return work(dir)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

test.each(nodes)('container %s is configured as a node, at the address that the others and the proxy know', (name) => {
  const { environment = {}, networks } = services[name] ?? {}
  const { config, warnings } = withSecrets((dir) => {
    const env = { ...environment, CAPTURE_CLUSTER_SECRET_FILE: join(dir, 'cluster.key') }
    return loadConfig({ env, cwd: dir, systemFile: join(dir, 'none.toml') })
  })
  const host = config.cluster?.listen.host
  expect([config.cluster?.node, warnings]).toEqual([name, []])
  expect(networks).toEqual({ nodes: { ipv4_address: host } })
  expect(read('haproxy.cfg')).toContain(`server ${name} ${host}:${config.server.listen?.port}\n`)
  expect(read('haproxy.cfg')).toContain(`check port ${config.operator.listen?.port} `)
})

test('two machines differ in their name and addresses alone', () => {
  const configured = ['a', 'b'].map((name) =>
    withSecrets((dir) => {
      const text = read(`two-machines/machine-${name}.toml`).replaceAll('/etc/capture', dir)
      writeFileSync(join(dir, 'capture.toml'), text)
      const { config, warnings } = loadConfig({ env: {}, cwd: dir, systemFile: join(dir, 'none.toml') })
      expect([config.cluster?.node, warnings]).toEqual([name, []])
      return text.replaceAll(dir, '')
    }),
  )
  const [a = [], b = []] = configured.map((text) => text.split('\n').slice(2))
  const different = a.filter((line, at) => line !== b[at])
  expect(different.length).toBe(4)
  expect(different.filter((line) => !line.includes('# each machine its own'))).toEqual([])
})
