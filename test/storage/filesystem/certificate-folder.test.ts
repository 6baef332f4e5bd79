import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDefaultCertificate } from '../../../src/https/default-certificate.ts'
import { CertificateFolder } from '../../../src/storage/filesystem/certificate-folder.ts'

const pair = makeDefaultCertificate()
let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-certificates-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** What is read of a host whose key is sound, once something stands where its certificate should. */
async function withCertificate(host: string, put: (path: string) => void) {
  writeFileSync(join(dir, `${host}.key`), pair.key)
  put(join(dir, `${host}.crt`))
  return new CertificateFolder(dir).read(host)
}

test('a byte order mark before a certificate or its key is not taken for a part of it', async () => {
  writeFileSync(join(dir, 'marked.test.key'), `\uFEFF${pair.key}`)
  writeFileSync(join(dir, 'marked.test.crt'), `\uFEFF${pair.certificate}`)
  expect(await new CertificateFolder(dir).read('marked.test')).toEqual(pair)
})

test.each<[string, (path: string) => void]>([
  ['pipe', (path) => Bun.spawnSync(['mkfifo', path])],
  ['device', (path) => symlinkSync('/dev/zero', path)],
  ['folder', (path) => mkdirSync(path)],
])('a %s in place of a certificate is a fault, and holds nobody up', async (kind, put) => {
  expect(await withCertificate(`${kind}.test`, put)).toEqual({ fault: `${kind}.test.crt is not a regular file` })
})

test('a certificate of more than 64 KiB is a fault', async () => {
  const fault = await withCertificate('large.test', (path) => writeFileSync(path, 'x'.repeat(65_537)))
  expect(fault).toEqual({ fault: 'large.test.crt is larger than 65536 bytes' })
})
