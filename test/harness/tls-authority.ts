import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PairText } from '../../src/https/certificate-pair.ts'

export interface TlsAuthority {
  /** PEM of the root: what a client has to trust. */
  root: string
  /** A pair of this root's for these names, such as `DNS:localhost` or `IP:127.0.0.1`. */
  issue(...names: string[]): PairText
}

/** A root of trust for servers of tests, by openssl, valid from now on for thirty days. */
export function makeTlsAuthority(): TlsAuthority {
  const root = withFiles((at) => {
    openssl('req', '-x509', ...newKey, '-subj', '/CN=test root', '-keyout', at('key'), '-out', at('certificate'))
    return readPair(at)
  })
  return {
    root: root.certificate,
    issue: (...names) =>
      withFiles((at) => {
        writeFileSync(at('root'), root.certificate)
        writeFileSync(at('rootKey'), root.key)
        openssl(
          ...['req', '-x509', ...newKey, '-CA', at('root'), '-CAkey', at('rootKey'), '-subj', '/CN=test server'],
          ...['-addext', `subjectAltName=${names.join(',')}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
          ...['-keyout', at('key'), '-out', at('certificate')],
        )
        return readPair(at)
      }),
  }
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']

function withFiles<T>(make: (at: (name: string) => string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'capture-authority-'))
  try {
    return make((name) => join(dir, `${name}.pem`))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const readPair = (at: (name: string) => string): PairText => ({
  certificate: readFileSync(at('certificate'), 'utf8'),
  key: readFileSync(at('key'), 'utf8'),
})

function openssl(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...argv])
  if (exitCode !== 0) throw new Error(`openssl ${argv[0]}: ${stderr}`)
}
