import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PairText } from '../../src/https/certificate-pair.ts'

export interface CertificateChain extends PairText {
  /** PEM of the authority that a visitor trusts; it is not part of what is sent. */
  root: string
}

/** A host's certificate by an authority's intermediate one, as public authorities issue them. */
export function makeChain(host: string): CertificateChain {
  const dir = mkdtempSync(join(tmpdir(), 'capture-chain-'))
  const at = (file: string) => join(dir, file)
  const read = (file: string) => readFileSync(at(file), 'utf8')
  try {
    issue(dir, { name: 'root', extensions: 'basicConstraints=critical,CA:TRUE' })
    issue(dir, { name: 'between', by: 'root', extensions: 'basicConstraints=critical,CA:TRUE' })
    issue(dir, { name: host, by: 'between', extensions: `subjectAltName=DNS:${host}` })
    return {
      certificate: read(`${host}.crt`) + read('between.crt'),
      key: read(`${host}.key`),
      root: read('root.crt'),
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** @param by absent: signed by itself */
function issue(dir: string, { name, by = name, extensions }: { name: string; by?: string; extensions: string }): void {
  const at = (file: string) => join(dir, file)
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', at(`${name}.key`))
  openssl('req', '-new', '-key', at(`${name}.key`), '-subj', `/CN=${name}`, '-out', at('request.pem'))
  writeFileSync(at('extensions'), extensions)
  const signer =
    by === name
      ? ['-signkey', at(`${name}.key`)]
      : ['-CA', at(`${by}.crt`), '-CAkey', at(`${by}.key`), '-CAcreateserial']
  const files = ['-in', at('request.pem'), '-extfile', at('extensions'), '-out', at(`${name}.crt`)]
  openssl('x509', '-req', '-days', '30', ...signer, ...files)
}

function openssl(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...argv])
  if (exitCode !== 0) throw new Error(`openssl ${argv[0]}: ${stderr}`)
}
