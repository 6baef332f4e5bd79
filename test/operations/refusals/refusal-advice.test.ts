import { describe, expect, test } from 'bun:test'
import { refusalTable } from '../../../src/capture/refusal.ts'
import type { RefusalTotal } from '../../../src/capture/refusal-log.ts'
import { isSubmissionLost, refusalAdvice } from '../../../src/operations/refusals/refusal-advice.ts'
import { account } from '../../cli/sample-account.ts'

const settings = (overrides = {}) => ({ ...account().settings, ...overrides })
const refusal = (overrides: Partial<RefusalTotal> = {}): RefusalTotal => ({
  endpoint: 'form',
  check: 'origin',
  origin: 'https://new.acme.example',
  count: 1,
  ...overrides,
})

describe('advice on refusals', () => {
  test.each([
    ...Object.keys(refusalTable),
    'destination',
    'downloads',
    'downloads_per_address',
    'requests_per_address',
    'pipelined_requests',
    'no_script',
  ])('there is a sentence for %s', (check) => {
    expect(refusalAdvice(refusal({ check }), settings())).toMatch(/^[A-Z].{40,}\.$/)
  })

  test('for an origin it is the whole line, what is allowed already included', () => {
    const advice = refusalAdvice(refusal(), settings({ origins: ['https://www.acme.example'] }))
    expect(advice).toContain('origins = ["https://www.acme.example","https://new.acme.example"]')
  })

  test.each(['https://new.acme.example', 'https://*.acme.example'])(
    'for an origin that %s has allowed since, there is no line to add',
    (listed) => {
      const advice = refusalAdvice(refusal(), settings({ origins: ['https://www.acme.example', listed] }))
      expect(advice).toContain('allowed now')
      expect(advice).not.toContain('origins =')
    },
  )

  test.each(['null', '*', 'https://new.acme.example/path', '*.acme.example'])(
    'for %s, which no list can allow, there is no line to add',
    (origin) => {
      expect(refusalAdvice(refusal({ origin }), settings())).not.toContain('origins =')
    },
  )

  test.each(['https://go.acme.example', 'http://go.acme.example:8080'])(
    'for %s, which is the account’s own domain, it is the proxy or the port, not the list',
    (origin) => {
      const advice = refusalAdvice(refusal({ origin }), settings({ domains: ['go.acme.example'] }))
      expect(advice).toContain('trusted_proxies')
      expect(advice).toContain('X-Forwarded-Proto')
      expect(advice).not.toContain('origins =')
    },
  )

  test('for events it tells a wrong key from tracking that is off', () => {
    const off = { ...account().settings.tracking, enabled: false }
    const check = 'tracking_key'
    expect(refusalAdvice(refusal({ check }), settings())).toContain('data-site-key')
    expect(refusalAdvice(refusal({ check }), settings({ tracking: off }))).toContain('enabled = true')
  })

  test('a check of a newer version does no harm', () => {
    expect(refusalAdvice(refusal({ check: 'constructor' }), settings())).toContain('newer version')
  })
})

test.each([
  ['form', 'origin', true],
  ['form', 'body', true],
  // In quarantine.
  ['form', 'honeypot', false],
  ['form', 'bot_check', false],
  // Challenges have the same budget.
  ['form', 'budget', false],
  // The caller is told to send it again.
  ['form', 'storage', false],
  ['form', 'incomplete', false],
  // Posted to its own page, without its script.
  ['page', 'no_script', true],
  ['page', 'budget', false],
  ['event', 'origin', false],
] as const)('at %s, what %s refuses is surely not kept: %p', (endpoint, check, isLost) => {
  expect(isSubmissionLost({ endpoint, check })).toBe(isLost)
})
