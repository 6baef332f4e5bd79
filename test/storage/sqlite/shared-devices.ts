import fc from 'fast-check'
import type { Entry } from '../../../src/ledger/entry.ts'
import { click, pageView, source, submission, trackedEvent } from '../../report/sample-entries.ts'

export const minute = 60_000
export const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
export const erased = 'ada@customer.example'
const people = [erased, 'ben@customer.example'] as const

export interface Happening {
  what: 'view' | 'script view' | 'event' | 'click' | 'lead' | 'repeat' | 'refused' | 'identify'
  /** `null`: a submission without a device, of nobody in particular. */
  person: number | null
  device: number
  gapMs: number
}

export interface World {
  whats: readonly Happening['what'][]
  devices: readonly number[]
  gapsMs: readonly number[]
}

/** What two persons do on devices that they may share. */
export const happenings = ({ whats, devices, gapsMs }: World) =>
  fc.array(
    fc.record<Happening>({
      what: fc.constantFrom(...whats),
      person: fc.constantFrom(0, 1, null),
      device: fc.constantFrom(...devices),
      gapMs: fc.constantFrom(...gapsMs),
    }),
    { minLength: 5, maxLength: 40 },
  )

export function entriesOf(happened: readonly Happening[]): Entry[] {
  let receivedAt = Date.UTC(2026, 9, 20, 12)
  return happened.map(({ what, person, device, gapMs }, number) => {
    receivedAt += gapMs
    const version = { split: number % 3 === 0 ? 'other' : 'launch', variant: device % 2 === 0 ? 'a' : 'b' }
    const of = { id: `entry-${number + 10}`, receivedAt, deviceId: `device-${device}`, source: browser }
    const ofVersion = { ...of, source: { ...browser, ...version } }
    const email = person === null ? null : (people[person] ?? null)
    const made: Record<Happening['what'], () => Entry> = {
      view: () => pageView(ofVersion),
      'script view': () => trackedEvent({ ...of, event: '$pageview', attribution: {} }),
      event: () => trackedEvent(of),
      click: () => click({ ...of, recipient: null }),
      lead: () => submission({ ...(number % 4 === 0 ? ofVersion : of), email, fields: { number } }),
      repeat: () => submission({ ...of, email: null, fields: { message: 'Hello' } }),
      refused: () => submission({ ...of, email, fields: { number }, status: 'refused', refusedFor: 'honeypot' }),
      identify: () => trackedEvent({ ...of, event: '$identify', traits: email === null ? { number } : { email } }),
    }
    return made[what]()
  })
}

/** Whose each entry is, by docs/identity.md and docs/privacy.md read word for word. */
export function isErased(entry: Entry, entries: readonly Entry[]): boolean {
  if (entry.kind === 'submission' && entry.email !== null) return entry.email === erased
  const ties = entries.filter((other) => other.deviceId === entry.deviceId && tiedTo(other) !== null)
  const before = ties.filter(({ receivedAt, id }) => `${receivedAt} ${id}` <= `${entry.receivedAt} ${entry.id}`)
  const tie = before.at(-1) ?? ties[0]
  return tie !== undefined && tiedTo(tie) === erased
}

function tiedTo(entry: Entry): string | null {
  if (entry.kind === 'submission') return entry.status === 'accepted' ? entry.email : null
  if (entry.kind !== 'event' || entry.event !== '$identify') return null
  return typeof entry.traits?.email === 'string' ? entry.traits.email : null
}

/**
 * Verdicts were told from all records there were, and are told no second time. Sources and campaigns of leads are for whoever
 * asks to compare: what an expired record of an erased person told of a lead is forgotten.
 */
export const figures = `
  SELECT day, replace(replace(measure, 'click_human', 'click'), 'click_suspected', 'click') AS what,
    CASE WHEN measure IN ('lead_source', 'lead_medium', 'lead_page') THEN '' ELSE name END AS name, sum(count) AS count
  FROM day_figure WHERE measure NOT IN ('lead_campaign', 'hour_click') GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3`
export const devices = `
  SELECT device.id, hit_at, view_day, (SELECT json_group_array(day) FROM visitor_day WHERE device_row = row) AS days
  FROM device WHERE EXISTS (SELECT 1 FROM device_entry WHERE device_row = row) ORDER BY device.id`
export const hits = `
  SELECT ledger.id, day, counted FROM device_entry JOIN ledger USING (sequence) ORDER BY ledger.id`
