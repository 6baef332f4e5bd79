import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PairText } from '../../src/https/certificate-pair.ts'
import { datedCertificate } from './dated-certificate.ts'

const lifetimeMs = 30 * 86_400_000

/** A certificate for this name, valid from now on for thirty days, as most are: of an elliptic curve. */
export function makeCertificate(name: string): PairText {
  const notBefore = Math.floor(Date.now() / 1000) * 1000
  return datedCertificate(name, { notBefore, notAfter: notBefore + lifetimeMs })
}

/** The same by openssl, with a key as its options `-newkey` and `-pkeyopt` say. */
export function certificateWith(key: string[], name: string): PairText {
  const dir = mkdtempSync(join(tmpdir(), 'capture-certificate-'))
  try {
    const [keyFile, certificateFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
    openssl(
      ...['req', '-x509', ...key, '-nodes', '-days', '30'],
      ...['-keyout', keyFile, '-out', certificateFile, '-subj', `/CN=${name}`],
      ...['-addext', `subjectAltName=DNS:${name}`],
    )
    return { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function openssl(...argv: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...argv])
  if (exitCode !== 0) throw new Error(`openssl ${argv[0]}: ${stderr}`)
}
