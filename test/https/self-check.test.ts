import { expect, test } from 'bun:test'
import type { CertificatePair, PairText } from '../../src/https/certificate-pair.ts'
import { SelfCheck } from '../../src/https/self-check.ts'
import { makeCertificate } from '../harness/certificates.ts'

const hosts = ['go.acme.test', 'go.other.test'] as const
const [ofAcme, ofOther] = hosts.map((host) => makeCertificate(host)) as [PairText, PairText]
const pairs: CertificatePair[] = [
  { host: hosts[0], expiresAt: 0, ...ofAcme },
  { host: hosts[1], expiresAt: 0, ...ofOther },
]

/** A server that shows these certificates, and a check of it that notes what it logs. */
function aServer(shown: readonly CertificatePair[], hostname = '127.0.0.1') {
  const server = Bun.serve({
    hostname,
    port: 0,
    tls: shown.map(({ host, certificate, key }) => ({ serverName: host, cert: certificate, key })),
    fetch: () => new Response(null),
  })
  const port = server.port ?? 0
  const said: { infos: unknown[]; errors: string[] } = { infos: [], errors: [] }
  const check = new SelfCheck({
    address: { host: hostname, port },
    log: {
      info: (_, fields) => said.infos.push(fields),
      error: (message) => said.errors.push(message),
    },
  })
  return { check, said, port, [Symbol.asyncDispose]: () => server.stop(true) }
}

test.each(['127.0.0.1', '0.0.0.0'])('certificates that are shown at %s are found there', async (hostname) => {
  await using server = aServer(pairs, hostname)
  server.check.expect(pairs)
  await server.check.ask()
  expect(server.said).toEqual({ infos: [{ names: 2 }], errors: [] })
})

test('a host that shows another certificate is named, with what to do', async () => {
  const stale = { ...pairs[1], ...makeCertificate(hosts[1]) } as CertificatePair
  await using server = aServer([pairs[0] as CertificatePair, stale])
  server.check.expect(pairs)
  await server.check.ask()
  expect(server.said.infos).toEqual([{ names: 1 }])
  expect(server.said.errors).toEqual([
    `Visitors of https://${hosts[1]} may get a wrong certificate: asked for its own, the box showed another one. Check that no other program listens on port ${server.port}, and restart the service.`,
  ])
})

test('a box that does not answer is an error, and no failure', async () => {
  const server = aServer(pairs)
  await server[Symbol.asyncDispose]()
  server.check.expect(pairs.slice(0, 1))
  await server.check.ask()
  expect(server.said.errors).toEqual([expect.stringContaining('the box did not answer (ECONNREFUSED)')])
})

test('a certificate is asked for once, and again when it has changed', async () => {
  await using server = aServer(pairs)
  server.check.expect(pairs)
  await server.check.ask()
  server.check.expect(pairs.map((pair) => ({ ...pair })))
  await server.check.ask()
  expect(server.said.infos).toHaveLength(1)
  server.check.expect([{ ...pairs[0], ...makeCertificate(hosts[0]) } as CertificatePair])
  await server.check.ask()
  expect(server.said.errors).toHaveLength(1)
})

test('what changes while it is asked for is no fault, and is asked for again', async () => {
  await using server = aServer(pairs)
  const earlier = pairs.map((pair) => ({ ...pair, ...makeCertificate(pair.host) }))
  server.check.expect(earlier)
  const asked = server.check.ask()
  server.check.expect(pairs)
  await asked
  expect(server.said).toEqual({ infos: [], errors: [] })
  await server.check.ask()
  expect(server.said).toEqual({ infos: [{ names: 2 }], errors: [] })
})
