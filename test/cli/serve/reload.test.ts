import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reloader } from '../../../src/cli/serve/running-service.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { makeDefaultCertificate } from '../../../src/https/default-certificate.ts'

/** The keys that a reload from one text of capture.toml to the other lists as waiting for a restart. */
function keysWaiting(before: string, after: string): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'capture-reload-'))
  try {
    const file = join(dir, 'capture.toml')
    writeFileSync(join(dir, 'ca.pem'), makeDefaultCertificate().certificate)
    const read = (text: string) => {
      writeFileSync(file, text)
      return loadConfig({ file, cwd: dir, env: {} })
    }
    const { config } = read(before)
    const waiting: string[] = []
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (_: string, fields?: Record<string, unknown>) => waiting.push(String(fields?.keys)),
    }
    const live = {
      limits: { ...config.limits },
      trustedProxies: { networks: [] },
      logging: { ...config.log },
      room: { minFreeMb: 0 },
    }
    const manager = { reloading: () => undefined, reloaded: () => undefined }
    reloader({ config, live, read: () => read(after), manager, log } as never)()
    return waiting.flatMap((keys) => keys.split(', '))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const https = (mode: string) => `[https]\nmode = "${mode}"\nca_file = "ca.pem"\n`

test('a change of the HTTPS mode alone is listed alone, though the mode decides whether ca_file is read', () => {
  expect(keysWaiting(https('off'), https('auto'))).toEqual(['https.mode'])
})

test('another ca_file in the same mode is listed', () => {
  expect(keysWaiting('[https]\nmode = "auto"', https('auto'))).toEqual(['https.ca_file'])
})

test('a ca_file is listed under the name that it has in the file', () => {
  expect(keysWaiting('', '[delivery]\nca_file = "ca.pem"')).toEqual(['delivery.ca_file'])
})
