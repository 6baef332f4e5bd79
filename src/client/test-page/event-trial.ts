import { refusal } from './advice.ts'
import { asks, type CheckOutcome, failed, note, passed, skipped, trying } from './check.ts'
import type { Configuration } from './configuration.ts'
import { eventually } from './eventually.ts'
import { bodyOf, type Exchange, errorCodeOf } from './exchange.ts'
import { sampleEmail } from './sample-fields.ts'
import type { DomainTrial } from './trial.ts'

export const eventChecks = ['consent', 'withoutConsent', 'withConsent', 'identify', 'cookie'] as const

/** Longer than the script waits before its first batch. */
const quietMs = 2_200
/** The script looks for consent a second after the event, and again after 2 and 4 seconds. */
const batchMsMax = 10_000

/** Tries events with the script embedded in the trial's website: before consent, and after a yes. */
export async function tryEvents(trial: DomainTrial, configuration: Configuration): Promise<void> {
  const { website, trackingKey, report } = trial
  if (!configuration.tracking.enabled || trackingKey === null) {
    const result = configuration.tracking.enabled ? keyMissing : trackingOff
    for (const id of eventChecks) report(id, id === 'consent' ? result : skipped(result.says))
    return
  }
  for (const id of eventChecks) report(id, trying)
  const { signalSource, blockBeforeOptIn } = configuration.consent
  website.window.svc?.('track', 'test_page_event', { page: 'test' })
  website.window.svc?.('identify', { email: sampleEmail })
  const early = blockBeforeOptIn ? await batchWithin(trial, quietMs) : null
  const unasked = await postEvent(trial, trackingKey, 'test_page_without_consent')
  report('withoutConsent', withoutConsent(unasked, blockBeforeOptIn))

  website.window[signalSource] = true
  const batch = early ?? (await batchWithin(trial, batchMsMax))
  report('consent', consent(early, batch, configuration))
  report('withConsent', withConsent(batch))
  if (batch?.answer?.status !== 202) {
    for (const id of ['identify', 'cookie'] as const) report(id, skipped('Not tried, since no event was accepted.'))
    return
  }
  report('identify', identify(batch))
  const again = await postEvent(trial, trackingKey, 'test_page_known_again')
  report('cookie', cookie(again, trial, blockBeforeOptIn))
}

const trackingOff = skipped('Tracking is switched off for the account, so events are refused.', {
  todo: 'To switch it on, set this under [tracking] in site.toml and run capture apply:',
  line: 'enabled = true',
})
const keyMissing = asks('Events need the account’s tracking key. Paste it at the top of the page.')

/** Sends one event without the script: with the browser's cookies, and with no consent signal. */
const postEvent = ({ website, domain }: DomainTrial, trackingKey: string, event: string): Promise<Exchange> =>
  website.ask(`${domain.origin}/_svc/e`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SVC-Site-Key': trackingKey },
    body: JSON.stringify({ events: [{ event, properties: { url: location.origin } }] }),
    credentials: 'include',
  })

/** The script's first batch, with its answer. */
const batchWithin = ({ website, domain }: DomainTrial, ms: number): Promise<Exchange | null> =>
  eventually(ms, () =>
    website.exchanges.find(
      ({ url, body, answer, error }) =>
        url === `${domain.origin}/_svc/e` && body?.includes('test_page_event') && (answer ?? error) !== null,
    ),
  )

function consent(early: Exchange | null, batch: Exchange | null, { consent }: Configuration): CheckOutcome {
  const signal = `window.${consent.signalSource}`
  if (!consent.blockBeforeOptIn)
    return note('The account does not wait for consent: the script sends at once and only passes the signal on.', {
      todo: 'To hold events back until a visitor agrees, set this under [tracking] in site.toml:',
      line: 'require_opt_in = true',
    })
  if (early) return failed('The script sent events before there was consent.', { exchanges: [early] })
  if (!batch) return failed(`The script sent nothing, even after ${signal} said yes.`)
  return passed(`The script held its events back until ${signal} said yes.`)
}

function withoutConsent(exchange: Exchange, blockBeforeOptIn: boolean): CheckOutcome {
  const exchanges = [exchange]
  if (errorCodeOf(exchange) === 'consent_missing')
    return passed('Refused, as it should be: nothing is stored about a visitor who was not asked.', { exchanges })
  if (exchange.answer?.status !== 202) return refusal(exchange)
  const says = blockBeforeOptIn
    ? 'Accepted: this browser has been here before, and its identity cookie is evidence of consent.'
    : 'Accepted: this account does not ask for consent.'
  return passed(says, { exchanges })
}

function withConsent(batch: Exchange | null): CheckOutcome {
  if (batch === null) return failed('The script sent no event.', { todo: 'Look at the browser’s console.' })
  if (batch.answer?.status !== 202) return refusal(batch)
  return passed(`The box accepted and stored the script’s batch. Events: ${bodyOf(batch.answer).accepted}.`, {
    exchanges: [batch],
  })
}

function identify(batch: Exchange): CheckOutcome {
  const exchanges = [batch]
  return batch.body?.includes('$identify')
    ? passed(`The same batch carried $identify with ${sampleEmail}, which ties a device to a person.`, { exchanges })
    : failed('The batch held no $identify.', { exchanges })
}

function cookie(exchange: Exchange, { domain }: DomainTrial, blockBeforeOptIn: boolean): CheckOutcome {
  const exchanges = [exchange]
  if (errorCodeOf(exchange) === 'consent_missing')
    return note(
      `The identity cookie of ${domain.host} did not come back: ${location.hostname} is another site, and browsers keep cookies apart. Without it every batch looks like a new device, and only $identify with an email ties a visitor’s events together.`,
      {
        todo: 'It comes back where your website and the domain share a registrable domain, as www.acme.example and go.acme.example do.',
        exchanges,
      },
    )
  if (exchange.answer?.status !== 202) return refusal(exchange)
  if (blockBeforeOptIn)
    return passed('The identity cookie came back: the event was accepted for the same device, without a signal.', {
      exchanges,
    })
  return note('This page cannot tell: it cannot read the cookie, and this account accepts events without one.', {
    todo: 'Compare the records: if two batches have the same deviceId, the cookie came back.',
    exchanges,
  })
}
