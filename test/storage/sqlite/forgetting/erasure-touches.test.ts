// docs/privacy.md, "Erasing a person": where another person's submission came from is told without what an
// erased person left behind.
import { describe, expect, test } from 'bun:test'
import { click, pageView, source, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const view = (id: string, minute: number, attribution: Record<string, string>) =>
  pageView({
    id,
    deviceId: 'device-1',
    receivedAt: at(minute),
    source: browser,
    url: `https://go.acme.example/?of=${id}`,
    attribution,
  })
const lead = (id: string, minute: number, email: string) =>
  submission({ id, deviceId: 'device-1', receivedAt: at(minute), email, fields: { email, id } })

const touches = `
  SELECT id, first_touch ->> '$.source' AS first, last_touch ->> '$.source' AS last, lead_source AS source
  FROM submission_fact ORDER BY sequence`
const pages = `SELECT id, page_slug AS slug, page_sha256 AS sha256 FROM submission_fact ORDER BY sequence`
const hashOf = (slug: string) => new Bun.CryptoHasher('sha256').update(slug).digest('hex')
const sources = `SELECT name, count FROM day_figure WHERE measure = 'lead_source' ORDER BY name`

describe('after an erasure another person’s submission from the same device', () => {
  test('has no touch where the only one was the erased person’s, and counts for an unknown source', async () => {
    await using box = new AForgettingBox()
    box.capture(view('view-1', 1, { gclid: 'click-of-ada' }), lead('ada-1', 2, ada), lead('ben-1', 3, ben))
    expect(box.rows(touches)).toContainEqual({ id: 'ben-1', first: 'google', last: 'google', source: 'google' })
    await box.erase(ada)
    expect(box.rows(touches)).toEqual([{ id: 'ben-1', first: null, last: null, source: 'unknown' }])
    expect(box.rows(sources)).toEqual([{ name: 'unknown', count: 1 }])
    expect(box.bytes()).not.toContain('click-of-ada')
    expect(box.bytes()).not.toContain('of=view-1')
  })

  test('is told from the touches that are left', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ben-1', 1, ben),
      view('ben-2', 2, { utm_source: 'Paper' }),
      lead('ada-1', 3, ada),
      view('ada-2', 4, { gclid: 'click-of-ada' }),
      lead('ben-3', 5, ben),
    )
    await box.erase(ada)
    expect(box.rows(touches)).toEqual([
      { id: 'ben-1', first: null, last: null, source: 'unknown' },
      { id: 'ben-3', first: 'paper', last: 'paper', source: 'paper' },
    ])
    expect(box.rows(sources)).toEqual([
      { name: 'paper', count: 1 },
      { name: 'unknown', count: 1 },
    ])
  })

  test('loses the touch of a record that had expired before', async () => {
    await using box = new AForgettingBox()
    box.capture(view('view-1', 1, { gclid: 'click-of-ada' }), lead('ada-1', 2, ada), lead('ben-1', 3, ben))
    box.expire(at(2))
    expect(box.ids()).not.toContain('view-1')
    await box.erase(ada)
    expect(box.rows(touches)).toEqual([{ id: 'ben-1', first: null, last: null, source: 'unknown' }])
  })

  test('loses a click on a link that was signed for them', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ben-1', 1, ben),
      click({ id: 'click-1', receivedAt: at(2), recipient: 'of-ada', verdict: 'human' }),
      lead('ben-2', 3, ben),
    )
    await box.erase(ada, { recipients: ['of-ada'] })
    expect(box.rows(touches)).toContainEqual({ id: 'ben-2', first: null, last: null, source: 'unknown' })
  })

  test('came directly where a click on a link that was signed for them stood before its own view', async () => {
    await using box = new AForgettingBox()
    box.capture(
      click({ id: 'click-1', receivedAt: at(1), recipient: 'of-ada', verdict: 'human' }),
      view('view-1', 2, {}),
      lead('ben-1', 3, ben),
      view('view-2', 4, {}),
      lead('ben-2', 5, ben),
    )
    expect(box.rows(sources)).toEqual([{ name: 'email', count: 2 }])
    await box.erase(ada, { recipients: ['of-ada'] })
    expect(box.rows(touches)).toEqual([
      { id: 'ben-1', first: 'direct', last: 'direct', source: 'direct' },
      { id: 'ben-2', first: 'direct', last: 'direct', source: 'direct' },
    ])
    expect(box.rows(sources)).toEqual([{ name: 'direct', count: 2 }])
    expect(box.rows(`SELECT entry_id AS id FROM touch`)).toEqual([{ id: 'view-1' }])
  })

  test('first came directly, and last by what told since', async () => {
    await using box = new AForgettingBox()
    box.capture(
      click({ id: 'click-1', receivedAt: at(1), recipient: 'of-ada', verdict: 'human' }),
      view('view-1', 2, {}),
      view('view-2', 3, { utm_source: 'paper' }),
      lead('ben-1', 4, ben),
    )
    await box.erase(ada, { recipients: ['of-ada'] })
    expect(box.rows(touches)).toEqual([{ id: 'ben-1', first: 'direct', last: 'paper', source: 'paper' }])
  })

  test('came by the first direct view in order of receipt, though thousands of events and later views stand around it', async () => {
    // With the click before them 1,499: the two views of one millisecond are the last of one part and the first of the next.
    const events = (from: number) =>
      Array.from({ length: 1498 }, (_, n) =>
        trackedEvent({ id: `event-${from}-${n}`, receivedAt: at(from) + n, attribution: {} }),
      )
    const left = [
      ...events(2),
      view('view-5', 3, {}),
      view('view-4', 3, {}),
      ...events(4),
      view('view-6', 5, {}),
      lead('ben-1', 6, ben),
    ]
    const told = `SELECT first_touch AS first, last_touch AS last FROM submission_fact`
    await using box = new AForgettingBox()
    await using other = new AForgettingBox()
    box.capture(click({ id: 'click-1', receivedAt: at(1), recipient: 'of-ada', verdict: 'human' }), ...left)
    other.capture(...left)
    await box.erase(ada, { recipients: ['of-ada'] })
    expect(box.rows(told)).toEqual(other.rows(told))
    expect(box.rows(`SELECT first_touch ->> '$.url' AS url FROM submission_fact`)).toEqual([
      { url: 'https://go.acme.example/?of=view-4' },
    ])
  })

  test('keeps its own touch from before retention took the record of it', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ben-1', 1, ben),
      view('ben-2', 2, { utm_source: 'paper' }),
      lead('ben-3', 3, ben),
      lead('ada-1', 4, ada),
      view('ada-2', 5, { gclid: 'click-of-ada' }),
    )
    box.expire(at(3))
    expect(box.ids()).not.toContain('ben-2')
    await box.erase(ada)
    expect(box.rows(touches)).toContainEqual({ id: 'ben-3', first: 'paper', last: 'paper', source: 'paper' })
  })

  test('names the page that the device had been served last of those that are left', async () => {
    await using box = new AForgettingBox()
    const page = (id: string, minute: number, slug: string) => ({ ...view(id, minute, {}), slug, sha256: hashOf(slug) })
    box.capture(
      lead('ben-1', 1, ben),
      page('ben-2', 2, 'bens'),
      lead('ada-1', 3, ada),
      page('ada-2', 4, 'adas'),
      lead('ben-3', 5, ben),
      page('ben-4', 6, 'late'),
      lead('ben-5', 7, ben),
    )
    expect(box.rows(pages)).toContainEqual({ id: 'ben-3', slug: 'adas', sha256: hashOf('adas') })
    await box.erase(ada)
    expect(box.rows(pages)).toEqual([
      { id: 'ben-1', slug: null, sha256: null },
      { id: 'ben-3', slug: 'bens', sha256: hashOf('bens') },
      { id: 'ben-5', slug: 'late', sha256: hashOf('late') },
    ])
  })

  test('names no page that was served behind it, though within the same millisecond', async () => {
    await using box = new AForgettingBox()
    box.capture(
      view('ada-1', 1, {}),
      lead('ada-2', 2, ada),
      lead('ben-3', 3, ben),
      view('ben-4', 3, {}),
      lead('ben-5', 3, ben),
    )
    await box.erase(ada)
    expect(box.rows(pages)).toEqual([
      { id: 'ben-3', slug: null, sha256: null },
      { id: 'ben-5', slug: 'launch', sha256: 'ab'.repeat(32) },
    ])
  })

  test('names no page where the erased person was served the only one, though the record of that had expired', async () => {
    for (const hasExpired of [false, true]) {
      await using box = new AForgettingBox()
      box.capture(view('view-1', 1, {}), lead('ada-1', 2, ada), lead('ben-1', 3, ben))
      if (hasExpired) box.expire(at(2))
      expect(box.ids().includes('view-1')).toBe(!hasExpired)
      await box.erase(ada)
      expect(box.rows(pages)).toEqual([{ id: 'ben-1', slug: null, sha256: null }])
    }
  })

  test('keeps the page that its own person was served before the record of that expired', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ben-1', 1, ben),
      view('ben-2', 2, {}),
      lead('ben-3', 3, ben),
      lead('ada-1', 4, ada),
      view('ada-2', 5, {}),
    )
    box.expire(at(3))
    expect(box.ids()).not.toContain('ben-2')
    await box.erase(ada)
    expect(box.rows(pages)).toContainEqual({ id: 'ben-3', slug: 'launch', sha256: 'ab'.repeat(32) })
  })

  test('is told so though the erasure was broken off when the touches had gone', async () => {
    await using box = new AForgettingBox()
    box.capture(view('view-1', 1, { gclid: 'click-of-ada' }), lead('ada-1', 2, ada), lead('ben-1', 3, ben))
    box.connection.raw.run('DELETE FROM touch')
    await box.erase(ada)
    expect(box.rows(touches)).toEqual([{ id: 'ben-1', first: null, last: null, source: 'unknown' }])
  })

  test('counts for a source as figures name it, however long and many its touches’ sources are', async () => {
    await using box = new AForgettingBox()
    const long = 'p'.repeat(150)
    const others = Array.from({ length: 220 }, (_, n) => [
      pageView({
        id: `view-${n}`,
        deviceId: `device-${n + 10}`,
        receivedAt: at(0) + n,
        attribution: { utm_source: `s${n}` },
      }),
      submission({
        id: `lead-${n}`,
        deviceId: `device-${n + 10}`,
        receivedAt: at(0) + n + 1,
        email: `p${n}@other.example`,
        fields: { n },
      }),
    ])
    box.capture(
      lead('ben-1', 1, ben),
      view('ben-2', 2, { utm_source: long }),
      lead('ada-1', 3, ada),
      view('ada-2', 4, { gclid: 'click-of-ada' }),
      lead('ben-3', 5, ben),
    )
    await box.erase(ada)
    expect(box.rows(`SELECT lead_source AS source FROM submission_fact WHERE id = 'ben-3'`)).toEqual([
      { source: 'p'.repeat(100) },
    ])
    box.capture(
      ...others.flat(),
      view('ben-4', 6, { utm_source: 'late' }),
      lead('ada-5', 7, ada),
      view('ada-6', 8, { utm_source: 's0' }),
      lead('ben-7', 9, ben),
    )
    expect(box.rows(`SELECT lead_source AS source FROM submission_fact WHERE id = 'ben-7'`)).toEqual([{ source: 's0' }])
    await box.erase(ada)
    expect(box.rows(`SELECT lead_source AS source FROM submission_fact WHERE id = 'ben-7'`)).toEqual([
      { source: '(other)' },
    ])
    const [counted] = box.rows<{ n: number }>(`SELECT sum(count) AS n FROM day_figure WHERE measure = 'lead_source'`)
    expect(counted).toEqual({ n: 223 })
  })
})
