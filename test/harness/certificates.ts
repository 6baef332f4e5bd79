import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PairText } from '../../src/https/certificate-pair.ts'

/** A self-signed certificate for these names, by openssl, valid from now on for thirty days. */
export const makeCertificate = (...names: string[]): PairText => certificateWith(ecdsaP256, names)

const ecdsaP256 = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

/** @param key how openssl is to make it, as its options `-newkey` and `-pkeyopt` say */
export function certificateWith(key: string[], names: string[]): PairText {
  const dir = mkdtempSync(join(tmpdir(), 'capture-certificate-'))
  try {
    const [keyFile, certificateFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
    openssl(
      ...['req', '-x509', ...key, '-nodes', '-days', '30'],
      ...['-keyout', keyFile, '-out', certificateFile, '-subj', `/CN=${names[0]}`],
      ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
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
