import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { click, pageView, source, submission, trackedEvent } from '../../report/sample-entries.ts'

/** What happens next on a box, in a few words. */
export interface Happening {
  what: 'page' | 'client view' | 'event' | 'identify' | 'click' | 'lead' | 'refused'
  account: number
  device: number
  /** Since the one before, milliseconds. */
  gapMs: number
  /** So much earlier it was received than its place in the ledger tells. */
  lateMs: number
  byBot: boolean
  onTestPage: boolean
  from: keyof typeof origins
  onPhone: boolean
}

const minute = 60_000
const begin = Date.UTC(2026, 9, 24, 12)
const message = ['news-1', 'news-2', null] as const
const slugs = ['launch', 'spring'] as const
const forms = ['contact1', 'signup01'] as const
export const people = ['ada@customer.example', 'ben@customer.example'] as const

/** What a view's address and its referrer say of where it came from. */
const origins = {
  nowhere: { attribution: {}, referer: null },
  ad: { attribution: { utm_source: 'ads', utm_medium: 'cpc', utm_campaign: 'spring' }, referer: null },
  letter: { attribution: { utm_source: 'letter' }, referer: null },
  search: { attribution: {}, referer: 'https://www.google.com/' },
  inside: { attribution: {}, referer: 'https://go.acme.example/' },
}

const usually = <T>(value: T, otherwise: T) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(otherwise) })

export const happenings = fc.array(
  fc.record<Happening>({
    what: fc.constantFrom('page', 'page', 'client view', 'event', 'identify', 'click', 'lead', 'refused'),
    account: fc.integer({ min: 0, max: 1 }),
    device: fc.constantFrom(0, 0, 0, 1),
    gapMs: fc.constantFrom(0, 10 * minute, 30 * minute - 1, 30 * minute, 26 * 60 * minute),
    lateMs: usually(0, 2000),
    byBot: usually(false, true),
    onTestPage: usually(false, true),
    from: fc.constantFrom('nowhere', 'nowhere', 'inside', 'ad', 'letter', 'search'),
    onPhone: fc.boolean(),
  }),
  { minLength: 30, maxLength: 60 },
)

/** The entries that they leave in the ledger, in its order. Devices of different accounts have the same ids. */
export function ledgerOf(happened: readonly Happening[], accountIds: readonly string[]): Entry[] {
  let at = begin
  return happened.map(({ what, account, device, gapMs, lateMs, byBot, onTestPage, from, onPhone }, number) => {
    at += gapMs
    const person = onPhone
      ? 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile/15E148'
      : 'Mozilla/5.0 (X11; Linux) Firefox/140.0'
    const userAgent = byBot ? 'Mozilla/5.0 (compatible; Googlebot/2.1)' : person
    const { attribution, referer } = origins[from]
    const of = {
      accountId: accountIds[account] ?? '',
      id: `entry-${number}`,
      deviceId: `device-${device}`,
      receivedAt: at - lateMs,
      test: onTestPage,
      source: { ...source, userAgent },
    }
    const formId = forms[number % forms.length] ?? ''
    const slug = slugs[number % slugs.length] ?? ''
    const named = message[number % message.length] ?? null
    const refusal = { status: 'refused', refusedFor: 'honeypot' } as const
    const entries: Record<Happening['what'], () => Entry> = {
      page: () => pageView({ ...of, ...addressOf(slug), source: { ...of.source, referer }, attribution }),
      'client view': () =>
        trackedEvent({
          ...of,
          event: '$pageview',
          attribution,
          properties: { url: addressOf(slug).url, referrer: referer },
        }),
      event: () => trackedEvent(of),
      identify: () => trackedEvent({ ...of, event: '$identify', traits: { plan: 'pro' } }),
      click: () => click({ ...of, message: named }),
      lead: () => submission({ ...of, formId, email: people[number % 2] ?? null, fields: { number } }),
      refused: () => submission({ ...of, formId, email: null, fields: { number }, ...refusal }),
    }
    return entries[what]()
  })
}

const addressOf = (slug: string) => ({ slug, path: `/${slug}`, url: `https://go.acme.example/${slug}` })
