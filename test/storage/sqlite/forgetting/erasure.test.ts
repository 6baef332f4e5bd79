// docs/privacy.md, "Erasing a person": what an erasure takes, and what it leaves alone.
import { describe, expect, test } from 'bun:test'
import { click, pageView, source, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const view = (id: string, deviceId: string, minute: number) =>
  pageView({ id, deviceId, receivedAt: at(minute), source: browser })
const lead = (id: string, deviceId: string | null, minute: number, email: string | null) =>
  submission({ id, deviceId, receivedAt: at(minute), email, fields: { email, id } })

const none = {
  submissions: 0,
  events: 0,
  pageViews: 0,
  clicks: 0,
  devices: 0,
  mentionedIn: [],
  mentions: 0,
  notDerived: 0,
}

describe('an erasure takes', () => {
  test('what the person’s device recorded before and after they were known, and the device', async () => {
    await using box = new AForgettingBox()
    box.capture(
      view('view-1', 'device-1', 1),
      trackedEvent({ id: 'event-1', receivedAt: at(2) }),
      lead('lead-1', 'device-1', 3, ada),
      click({ id: 'click-1', receivedAt: at(4) }),
      view('view-2', 'device-2', 5),
    )
    expect(await box.erase(ada)).toEqual({
      ...none,
      submissions: 1,
      events: 1,
      pageViews: 1,
      clicks: 1,
      devices: 1,
      verified: true,
    })
    expect(box.ids()).toEqual(['view-2'])
    const left = [
      'person',
      'device',
      'device_entry',
      'device_tie',
      'touch',
      'visitor_day',
      'click_fact',
      'submission_fact',
    ]
    expect(left.map((table) => [table, box.count(table)])).toEqual([
      ['person', 0],
      ['device', 1],
      ['device_entry', 1],
      ['device_tie', 0],
      ['touch', 1],
      ['visitor_day', 1],
      ['click_fact', 0],
      ['submission_fact', 0],
    ])
  })

  test('submissions without a device', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, 1, ada), lead('lead-2', null, 2, ben))
    expect(await box.erase(ada)).toMatchObject({ submissions: 1 })
    expect(box.ids()).toEqual(['lead-2'])
  })

  test('clicks on links that were signed for them, from whatever device', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('lead-1', 'device-1', 1, ben),
      click({ id: 'click-1', receivedAt: at(2), recipient: 'of-ada' }),
      click({ id: 'click-2', receivedAt: at(3), recipient: 'of-ben' }),
      click({ id: 'click-3', receivedAt: at(4), recipient: 'of-ada', deviceId: 'device-9' }),
    )
    expect(await box.erase(ada, { recipients: ['of-ada'] })).toMatchObject({ clicks: 2 })
    expect(box.ids()).toEqual(['lead-1', 'click-2'])
    expect(box.rows('SELECT id FROM device')).toEqual([{ id: 'device-1' }])
  })

  test('refused submissions of the address, and what the test page sent with it', async () => {
    await using box = new AForgettingBox()
    const refused = { status: 'refused', refusedFor: 'honeypot' } as const
    box.capture(
      submission({ id: 'refused-1', email: ada, fields: { email: ada }, deviceId: null, ...refused }),
      submission({ id: 'refused-2', email: ben, fields: { email: ben }, deviceId: null, ...refused }),
      submission({ id: 'test-1', email: ada, fields: { email: ada }, deviceId: null, test: true }),
      trackedEvent({ id: 'test-2', event: '$identify', traits: { email: ada }, test: true }),
    )
    expect(await box.erase(ada)).toMatchObject({ submissions: 2, events: 1 })
    expect(box.ids()).toEqual(['refused-2'])
  })

  test('what names the address and is nobody else’s', async () => {
    await using box = new AForgettingBox()
    box.capture(
      trackedEvent({ id: 'event-1', deviceId: 'device-7', properties: { who: 'Ada@Customer.example' } }),
      trackedEvent({ id: 'event-2', deviceId: 'device-7', properties: { who: 'somebody' } }),
    )
    expect(await box.erase(ada)).toMatchObject({ events: 1, mentionedIn: [] })
    expect(box.ids()).toEqual(['event-2'])
  })

  test.each(['e=ada%40customer.example&x=1', '%3Cada%40customer.example%3E', 'next=%3Fe%3Dada%2540Customer.example'])(
    'what names the address percent-encoded: %s',
    async (query) => {
      await using box = new AForgettingBox()
      const href = `https://www.acme.example/?${query}`
      box.capture(trackedEvent({ id: 'event-1', deviceId: 'device-7', properties: { href } }))
      expect(await box.erase(ada)).toMatchObject({ events: 1, verified: true })
      expect(box.ids()).toEqual([])
    },
  )

  test.each(['n%61da%40customer.example', 'n%2Bada%40customer.example', 'ada%40customer.example.org'])(
    'nothing that names a longer one so: %s',
    async (text) => {
      await using box = new AForgettingBox()
      box.capture(trackedEvent({ id: 'event-1', deviceId: 'device-7', properties: { text } }))
      expect(await box.erase(ada)).toMatchObject({ events: 0, mentionedIn: [] })
      expect(box.ids()).toEqual(['event-1'])
    },
  )

  test('nothing that names a longer address', async () => {
    await using box = new AForgettingBox()
    const event = (id: string, who: string) => trackedEvent({ id, deviceId: 'device-7', properties: { who } })
    box.capture(event('event-1', `n${ada}`), event('event-2', `${ada}.org`), event('event-3', `Hello\n${ada}.`))
    expect(await box.erase(ada)).toMatchObject({ events: 1, mentionedIn: [] })
    expect(box.ids()).toEqual(['event-1', 'event-2'])
  })

  test('a device that is nobody’s any more with the last of its records', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ada-1', 'device-1', 1, ada), lead('ben-1', 'device-1', 2, ben))
    await box.erase(ada)
    box.capture(lead('ada-2', 'device-1', 3, ada))
    await box.erase(ada)
    box.capture(click({ id: 'click-1', receivedAt: at(4), recipient: 'of-cleo' }))
    await box.erase(ben)
    expect(box.ids()).toEqual(['click-1'])
    expect(await box.erase('cleo@customer.example', { recipients: ['of-cleo'] })).toMatchObject({ clicks: 1 })
    const left = ['ledger', 'device', 'device_tie', 'touch']
    expect(left.map((table) => [table, box.count(table)])).toEqual(left.map((table) => [table, 0]))
  })

  test('what another device shares with it when it is run again, where the rules had failed on that device', async () => {
    await using box = new AForgettingBox()
    const campaign = { ...view('view-1', 'device-1', 1), attribution: { utm_source: 'of-ada' } }
    box.capture(campaign, lead('lead-1', 'device-1', 2, ada), lead('lead-2', 'device-1', 3, ben))
    const firstTouch = () => box.rows(`SELECT first_touch ->> '$.source' AS source FROM submission_fact`)
    box.connection.raw.run(
      `CREATE TRIGGER refuse BEFORE UPDATE OF first_touch ON submission_fact BEGIN SELECT RAISE(ABORT, 'not now'); END`,
    )
    expect(await box.erase(ada)).toMatchObject({ submissions: 1, pageViews: 1, notDerived: 1 })
    expect(firstTouch()).toEqual([{ source: 'of-ada' }])
    box.capture()
    expect(await box.erase(ada)).toMatchObject({ submissions: 0, notDerived: 1 })
    box.connection.raw.run('DROP TRIGGER refuse')
    expect(await box.erase(ada)).toEqual({ ...none, verified: true })
    expect(firstTouch()).toEqual([{ source: null }])
  })

  test('nothing the second time', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', 'device-1', 1, ada), lead('lead-2', 'device-2', 2, ben))
    await box.erase(ada)
    const left = box.ids()
    expect(await box.erase(ada)).toEqual({ ...none, verified: true })
    expect(box.ids()).toEqual(left)
  })
})

describe('an erasure leaves', () => {
  test('the same address in another account', async () => {
    await using box = new AForgettingBox()
    const elsewhere = { accountId: 'account-b', receivedAt: at(1) }
    box.capture(
      lead('lead-1', 'device-1', 1, ada),
      submission({ ...elsewhere, id: 'lead-2', email: ada, fields: { email: ada } }),
      pageView({ ...elsewhere, id: 'view-2' }),
    )
    expect(await box.erase(ada)).toMatchObject({ submissions: 1, verified: true })
    expect(box.ids()).toEqual(['lead-2', 'view-2'])
    expect(box.rows('SELECT email FROM person')).toEqual([{ email: ada }])
  })

  test('what others recorded on a shared device, before and after', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ben-1', 'device-1', 1, ben),
      view('ben-2', 'device-1', 2),
      lead('ada-1', 'device-1', 3, ada),
      view('ada-2', 'device-1', 4),
      lead('ben-3', 'device-1', 5, ben),
      view('ben-4', 'device-1', 6),
    )
    expect(await box.erase(ada)).toMatchObject({ submissions: 1, pageViews: 1, devices: 0 })
    expect(box.ids()).toEqual(['ben-1', 'ben-2', 'ben-3', 'ben-4'])
  })

  test('a shared device as nobody’s until somebody is known on it again', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ben-1', 'device-1', 1, ben), lead('ada-1', 'device-1', 2, ada))
    await box.erase(ada)
    box.capture(view('view-1', 'device-1', 3))
    expect(await box.erase(ben)).toMatchObject({ submissions: 1, pageViews: 0 })
    expect(box.ids()).toEqual(['view-1'])
  })

  test('other persons’ records that name the address, and says which', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ada-1', 'device-1', 1, ada),
      submission({ id: 'ben-1', deviceId: null, email: ben, fields: { email: ben, message: `My friend is ${ada}` } }),
    )
    expect(await box.erase(ada)).toMatchObject({ submissions: 1, mentionedIn: ['ben-1'], verified: true })
    expect(box.ids()).toEqual(['ben-1'])
  })

  test('any number of such records, of which it says the first 100 and how many there are', async () => {
    await using box = new AForgettingBox()
    const naming = (id: string) =>
      submission({ id, deviceId: null, email: ben, fields: { email: ben, message: `My friend is ${ada}` } })
    const ids = Array.from({ length: 101 }, (_, number) => `ben-${String(number).padStart(3, '0')}`)
    box.capture(...ids.map(naming))
    expect(await box.erase(ada)).toMatchObject({ mentionedIn: ids.slice(0, 100), mentions: 101 })
  })
})

test('who comes back after an erasure is a new person', async () => {
  await using box = new AForgettingBox()
  box.capture(lead('lead-1', 'device-1', 1, ada))
  const [before] = box.rows<{ id: string }>('SELECT id FROM person')
  await box.erase(ada)
  box.capture(lead('lead-2', 'device-1', 9, ada))
  const [after] = box.rows<{ id: string }>('SELECT id FROM person')
  expect(after?.id).toBeString()
  expect(after?.id).not.toBe(before?.id)
})

describe('what would go is what goes', () => {
  const told = (box: AForgettingBox, email: string) =>
    box.erasure.find({ accountId: 'account-a', email, recipients: [] })

  test('of every kind of record', async () => {
    await using box = new AForgettingBox()
    box.capture(
      view('view-1', 'device-1', 1),
      lead('lead-1', 'device-1', 2, ada),
      submission({ id: 'refused-1', email: ada, fields: { email: ada }, deviceId: null, status: 'refused' }),
    )
    const counts = await told(box, ada)
    expect(box.ids()).toHaveLength(3)
    expect(await box.erase(ada)).toMatchObject({ ...counts })
  })

  test('of a device that an erased person had had before', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ada-1', 'device-1', 1, ada), lead('ben-1', 'device-1', 2, ben))
    await box.erase(ada)
    const counts = await told(box, ben)
    expect(counts).toMatchObject({ submissions: 1, devices: 1 })
    expect(await box.erase(ben)).toMatchObject({ ...counts })
  })

  test('and of one on which a record of nobody’s is left', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ben-1', 'device-1', 1, ben), lead('ada-1', 'device-1', 2, ada))
    await box.erase(ada)
    box.capture(view('view-1', 'device-1', 3))
    const counts = await told(box, ben)
    expect(counts).toMatchObject({ submissions: 1, devices: 0 })
    expect(await box.erase(ben)).toMatchObject({ ...counts })
  })
})
