// docs/configuration.md, `requests_per_ip`: over the budget an address gets 429 for whatever it asks, and others are served.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { makeCertificate } from '../harness/certificates.ts'
import { eventually } from '../harness/eventually.ts'
import { RawConnection } from '../harness/raw-http.ts'
import { visit } from '../harness/visits.ts'

const requestsMax = 5

let box: Box
beforeAll(async () => {
  const sites = ['acme', 'beta'].map((account) => aSite({ account, files: { 'pages/launch.html': 'Launch' } }))
  const limits = { requests_per_ip: requestsMax, window_seconds: 86_400 }
  box = await Box.start(sites, { limits, server: { trusted_proxies: ['127.0.0.1/32'] } })
}, boxStartMsMax)
afterAll(() => box.stop())

const opened = (path: string, ip: string, account = 'acme') =>
  box.send(visit(path, { account, headers: { 'x-forwarded-for': ip } }))

async function useUp(ip: string): Promise<void> {
  for (let i = 0; i < requestsMax; i++) expect((await opened('/launch', ip)).status).toBe(200)
}

test.each([
  ['/launch', '198.18.1.1'],
  ['/_svc/v1.js', '198.18.1.2'],
  ['/_svc/rc', '198.18.1.3'],
  ['/nowhere', '198.18.1.4'],
  ['/.well-known/acme-challenge/unknown', '198.18.1.5'],
])('an address over its budget gets 429 for %p, at any account, and its connection ends', async (path, ip) => {
  await useUp(ip)
  for (const account of ['acme', 'beta']) {
    const { status, headers, text } = await opened(path, ip, account)
    expect([status, headers.get('connection'), JSON.parse(text).error.code]).toEqual([429, 'close', 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

test('what one address has used up costs another nothing', async () => {
  await useUp('198.18.2.1')
  expect((await opened('/launch', '198.18.2.1')).status).toBe(429)
  expect((await opened('/launch', '198.18.2.2')).status).toBe(200)
})

test('requests that are pipelined behind the budget are dropped', async () => {
  using connection = await RawConnection.open(box.port)
  const request = 'GET /launch HTTP/1.1\r\nhost: go.acme.test\r\nx-forwarded-for: 198.18.3.1\r\n\r\n'
  await connection.say(request.repeat(requestsMax + 20))
  const statuses: string[] = (await connection.closed()).match(/HTTP\/1\.1 \d+/g) ?? []
  expect(statuses).toEqual([...Array<string>(requestsMax).fill('HTTP/1.1 200'), 'HTTP/1.1 429'])
})

test('requests that are pipelined behind one that names no valid host are dropped', async () => {
  using connection = await RawConnection.open(box.port)
  await connection.say('GET /launch HTTP/1.1\r\nhost: a b\r\n\r\n'.repeat(20))
  expect((await connection.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
})

test('requests that are sent on to https have the same budget', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'capture-certificates-'))
  const { certificate, key } = makeCertificate('go.acme.test')
  writeFileSync(join(folder, 'go.acme.test.crt'), certificate)
  writeFileSync(join(folder, 'go.acme.test.key'), key)
  const limits = { requests_per_ip: requestsMax, window_seconds: 86_400 }
  const https = { mode: 'files', folder, listen: '127.0.0.1:0', http_listen: '127.0.0.1:0' }
  const secure = await Box.start([aSite()], { limits, https })
  try {
    const port = Number(/"Listening for http beside it\.".*?"port":(\d+)/.exec(secure.logged.join('\n'))?.[1])
    using connection = await RawConnection.open(port)
    await connection.say('GET /launch HTTP/1.1\r\nhost: go.acme.test\r\n\r\n'.repeat(requestsMax + 20))
    const statuses: string[] = (await connection.closed()).match(/HTTP\/1\.1 \d+/g) ?? []
    expect(statuses).toEqual([...Array<string>(requestsMax).fill('HTTP/1.1 308'), 'HTTP/1.1 429'])
  } finally {
    await secure.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what is refused so is counted for the account', async () => {
  await useUp('198.18.4.1')
  await opened('/launch', '198.18.4.1')
  await eventually('it is counted', async () => {
    const { refusals } = JSON.parse((await box.run(['refusals', 'acme', '--json'])).stdout)
    return refusals.some(
      ({ check, endpoint }: Record<string, string>) => `${endpoint} ${check}` === 'any requests_per_address',
    )
  })
})
