// docs/confirmed-leads.md, "What the visitor does".
import { describe, expect, test } from 'bun:test'
import { confirmationEndsAt, confirmationToken } from '../../src/account/confirmation-link.ts'
import type { ConfirmationState } from '../../src/ledger/confirmations.ts'
import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import type { SiteArrival } from '../../src/listener/arrival.ts'
import type { ListenerParts } from '../../src/listener/listener-parts.ts'
import { confirmationRoute } from '../../src/listener/routes/confirmation-route.ts'
import { signingKeys } from '../account/sample-signing-keys.ts'

const accountId = '01a20536-da0e-734f-a39f-ee8a386ab33c'
const submissionId = '019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90'
const keys = signingKeys()
const endsAt = confirmationEndsAt(0)
const token = confirmationToken({ accountId, submissionId, endsAt }, keys.current('reply'))

interface Circumstances {
  method?: string
  headers?: Record<string, string>
  state?: ConfirmationState
  now?: number
  confirm?: () => Promise<ConfirmationState>
}

async function answer(circumstances: Circumstances) {
  const { method = 'GET', headers = {}, state = 'open', now = 0 } = circumstances
  let presses = 0
  const confirm = async (): Promise<ConfirmationState> => {
    presses++
    return circumstances.confirm?.() ?? 'confirmed'
  }
  const parts = {
    directory: { signingKeys: keys },
    confirmations: { state: () => state, confirm },
    clock: { now: () => now },
  }
  const settings = {
    name: 'Acme',
    brand: { colour: null, background: null },
    language: 'de',
    home: null,
    contact: null,
  }
  const arrival = {
    request: new Request('https://go.acme.test/', { method, headers }),
    ownOrigin: 'https://go.acme.test',
    site: { account: { id: accountId, settings }, pages: new Map() },
  }
  const route = confirmationRoute(parts as unknown as ListenerParts)
  const response = await route(arrival as unknown as SiteArrival, { token })
  return { status: response.status, headers: response.headers, text: await response.text(), presses }
}

describe('the page behind a confirmation’s link', () => {
  test('shows a button in the account’s language, and changes nothing', async () => {
    const page = await answer({})
    expect([page.status, page.presses]).toEqual([200, 0])
    expect(page.text).toContain('<button>Bestätigen</button>')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
  })

  test('confirms when its button is pressed, and says so again afterwards, also of an old link', async () => {
    expect(await answer({ method: 'POST' })).toMatchObject({ status: 200, presses: 1 })
    const again = await answer({ method: 'POST', state: 'confirmed', now: endsAt })
    expect(again).toMatchObject({ status: 200, presses: 0 })
    expect(again.text).not.toContain('<button>')
  })

  test.each<[string, Circumstances]>([
    ['a link is too old', { now: endsAt }],
    ['the submission is gone', { state: 'gone' }],
  ])('says what to do where %s, and nothing more', async (_, circumstances) => {
    for (const method of ['GET', 'POST']) {
      const page = await answer({ ...circumstances, method })
      expect([page.status, page.presses]).toEqual([410, 0])
      expect(page.text).toContain('füllen Sie das Formular erneut aus')
    }
  })

  test('says that it is too old where the submission is erased as the button is pressed', async () => {
    expect(await answer({ method: 'POST', confirm: async () => 'gone' })).toMatchObject({ status: 410 })
  })

  test.each<[string, Record<string, string>, number]>([
    ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 200],
    ['its own page in an older browser', { origin: 'https://go.acme.test' }, 200],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    ['another host of the domain', { 'sec-fetch-site': 'same-site', origin: 'https://www.acme.test' }, 403],
    ['another site in an older browser', { origin: 'https://evil.example' }, 403],
  ])('takes what %s posts with the status it deserves', async (_, headers, status) => {
    const page = await answer({ method: 'POST', headers })
    expect([page.status, page.presses]).toEqual([status, status === 200 ? 1 : 0])
  })

  test('asks to press again where the confirmation could not be stored', async () => {
    const page = await answer({ method: 'POST', confirm: () => Promise.reject(new LedgerUnavailable()) })
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2'])
    expect(page.text).toContain('<button>Bestätigen</button>')
  })

  test('takes nothing but reading and the button', async () => {
    expect(await answer({ method: 'DELETE' })).toMatchObject({ status: 405, presses: 0 })
  })
})
