import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate that only the browser under test trusts. */
export interface Certificate {
  key: string
  cert: string
  /** What `--ignore-certificate-errors-spki-list` takes: caches and prerendering work as behind a real certificate. */
  publicKeyHash: string
}

/** Makes a self-signed certificate; it lives as long as one test file. */
export async function selfSignedCertificate(): Promise<Certificate> {
  const dir = mkdtempSync(join(tmpdir(), 'capture-certificate-'))
  const [keyFile, certFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const command = ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const named = ['-subj', '/CN=capture.test', '-days', '2', '-keyout', keyFile, '-out', certFile]
  try {
    const openssl = Bun.spawn([...command, ...named], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
    if ((await openssl.exited) !== 0)
      throw new Error(`openssl made no certificate: ${await new Response(openssl.stderr).text()}`)
    const cert = readFileSync(certFile, 'utf8')
    const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
    return {
      key: readFileSync(keyFile, 'utf8'),
      cert,
      publicKeyHash: createHash('sha256').update(publicKey).digest('base64'),
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
