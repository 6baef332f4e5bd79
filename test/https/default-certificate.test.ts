import { expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { checkedPair } from '../../src/https/certificate-pair.ts'
import { makeDefaultCertificate } from '../../src/https/default-certificate.ts'

const read = () => new X509Certificate(makeDefaultCertificate().certificate)

test('the default certificate can be used, names capture.invalid alone and is signed by itself', () => {
  const text = makeDefaultCertificate()
  expect(checkedPair('capture.invalid', text, Date.now())).toMatchObject({ pair: text })
  const certificate = new X509Certificate(text.certificate)
  expect(certificate.subject).toBe('CN=capture.invalid')
  expect(certificate.subjectAltName).toBe('DNS:capture.invalid')
  expect(certificate.verify(certificate.publicKey)).toBe(true)
})

test('openssl finds no fault in its form', () => {
  const { certificate } = makeDefaultCertificate()
  const argv = ['openssl', 'x509', '-noout', '-dates', '-checkhost', 'capture.invalid']
  const { stdout, exitCode } = Bun.spawnSync(argv, { stdin: Buffer.from(certificate) })
  expect(exitCode).toBe(0)
  expect(stdout.toString()).toContain('Hostname capture.invalid does match certificate')
  expect(stdout.toString()).toContain('notAfter=Dec 31 23:59:59 9999 GMT')
})

test('each has a key and a serial number of its own', () => {
  const [one, another] = [read(), read()]
  expect(one.serialNumber).not.toBe(another.serialNumber)
  expect(one.publicKey.equals(another.publicKey)).toBe(false)
})
