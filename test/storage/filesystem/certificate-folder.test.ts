import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDefaultCertificate } from '../../../src/https/default-certificate.ts'
import { CertificateFolder } from '../../../src/storage/filesystem/certificate-folder.ts'

test('a byte order mark before a certificate or its key is not taken for a part of it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-certificates-'))
  try {
    const pair = makeDefaultCertificate()
    writeFileSync(join(dir, 'go.acme.test.crt'), `\uFEFF${pair.certificate}`)
    writeFileSync(join(dir, 'go.acme.test.key'), `\uFEFF${pair.key}`)
    expect(await new CertificateFolder(dir).read('go.acme.test')).toEqual(pair)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
