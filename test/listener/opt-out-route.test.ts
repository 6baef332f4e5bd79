import { expect, test } from 'bun:test'
import { replyMark, replyOptOutToken } from '../../src/account/reply-opt-out.ts'
import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import type { SiteArrival } from '../../src/listener/arrival.ts'
import type { ListenerParts } from '../../src/listener/listener-parts.ts'
import { optOutRoute } from '../../src/listener/routes/opt-out-route.ts'

const accountId = '01a20536-da0e-734f-a39f-ee8a386ab33c'
const key = { id: 'aaaaaaaa', secret: new Uint8Array(32) } as never
const token = replyOptOutToken(replyMark(accountId, 'ada@visitor.example', key), accountId, key)

const parts = {
  directory: { signingKeys: { verifying: () => key } },
  optOuts: { add: () => Promise.reject(new LedgerUnavailable()) },
  clock: { now: () => 0 },
} as unknown as ListenerParts

const arrival = {
  request: new Request('http://go.acme.test/', { method: 'POST', headers: { 'accept-language': 'de' } }),
  site: {
    account: {
      id: accountId,
      settings: { name: 'Acme', brand: { colour: null, background: null }, home: null, contact: null },
    },
  },
} as unknown as SiteArrival

test('a visitor whose wish could not be stored is told to press the button again', async () => {
  const answer = await optOutRoute(parts)(arrival, { id: token })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  const text = await answer.text()
  expect(text).toContain('konnte gerade nicht gespeichert werden')
  expect(text).toContain('<button>Abmelden</button>')
})
