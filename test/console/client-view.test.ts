import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

const schema = {
  type: 'object',
  properties: {
    interest: { type: 'string', title: 'Interested in', enum: ['kitchen', 'bath'] },
    preferred_day: { type: 'string' },
    name: { type: 'string' },
    phone: { type: 'string' },
    message: { type: 'string' },
    email: { type: 'string' },
  },
}

let box: Box
let client: ConsoleVisitor
let lead: string
let inQuarantine: string
beforeAll(async () => {
  const acme = aSite({ language: 'de', brand: { colour: '#c2410c' }, forms: [aForm({ name: 'Booking', schema })] })
  const other = aSite({ account: 'other', language: 'pl', files: { 'pages/oferta.html': '<p>Oferta</p>' } })
  box = await Box.start([acme, other], { console: { listen: '127.0.0.1:0' } })
  client = await customer('client@acme.example')
  const fields = {
    ...{ email: 'zoe@example.test', name: 'Zoe Lovelace', phone: '+49 30 1234567' },
    ...{ interest: 'kitchen', preferred_day: 'Tuesday', message: 'Please call me, I live next door to you, number 7' },
  }
  lead = submissionIdOf(await box.send(formRequest({ fields })))
  await box.send(formRequest({ fields: { ...fields, _hp: 'filled' } }))
  inQuarantine = (await box.submissions()).find(({ status }) => status === 'refused')?.submissionId ?? ''
}, boxStartMsMax)
afterAll(() => box.stop())

async function customer(email: string, account = 'acme'): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(box)
  await visitor.accept(await ConsoleVisitor.invite(box, [email, '--account', account, '--role', 'client']))
  return visitor
}

const personal = ['zoe', 'lovelace', '1234567', 'next door']
const personalIn = (text: string): string[] => personal.filter((word) => text.toLowerCase().includes(word))

describe('a customer', () => {
  test('begins with the report', async () => {
    const { status, headers } = await client.get('/')
    expect([status, headers.get('location')]).toEqual([303, '/a/acme/report'])
    const { text } = await client.get('/a/acme/report')
    expect(text.indexOf('href="/a/acme/report"')).toBeLessThan(text.indexOf('href="/a/acme"'))
  })

  test('sees every page in the account’s colour, which a colleague sees on none', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const sheet = '<link rel="stylesheet" href="/_/colour-c2410c.css">'
    for (const path of ['/a/acme/report', '/a/acme', '/me']) {
      expect((await client.get(path)).text).toContain(sheet)
      expect((await owner.get(path)).text).not.toContain(sheet)
    }
    const { text } = await client.get('/_/colour-c2410c.css')
    expect(text).toStartWith(':root{--accent:light-dark(#c2410c,#')
  })

  test('sees leads as rows of what was answered, each with its form', async () => {
    const { text } = await client.get('/a/acme')
    expect(text).toContain(
      '<span class="who"><bdi>Interested in: kitchen</bdi></span> <span class="gist"><bdi>Preferred day: Tuesday</bdi></span>',
    )
    expect(text).toContain('<bdi class="form">Booking</bdi>')
    expect(personalIn(text)).toEqual([])
    expect(text).not.toContain('•••')
    expect(text).not.toContain('type="search"')
    expect(text).not.toContain('status=refused')
  })

  test('is led from the help to the pages that it names', async () => {
    const { text } = await client.get('/help')
    for (const [name, href] of [
      ['Bericht', '/a/acme/report'],
      ['Anfragen', '/a/acme'],
      ['Ihr Zugang', '/me'],
    ])
      expect(text.split('<main')[1]).toContain(`<a href="${href}">${name}</a>`)
    expect(text).toContain('Woher kommen meine Anfragen?')
    expect(text).not.toContain('Zum ersten Mal anmelden')
  })

  test('reads a lead by the names that its form gives, without who sent it', async () => {
    const { text } = await client.get(`/a/acme/s/${lead}`)
    expect(text).toContain('<h1>Interested in: kitchen</h1><p class="lead soft">Booking · <time')
    expect(text).toMatch(/Interested in<\/bdi><\/th><td class="value"><bdi>kitchen/)
    expect(text).toMatch(/Preferred day<\/bdi><\/th><td class="value"><bdi>Tuesday/)
    expect(personalIn(text)).toEqual([])
    expect(text.match(/>Verborgen. Fragen Sie Ihre Agentur danach.</g)).toHaveLength(1)
    expect(text).toMatch(/Herkunft<\/th><td class="value"><bdi>Unbekannt</)
  })

  test.each(['', '/page'])('finds nothing of the quarantine: %s', async (part) => {
    expect((await client.get(`/a/acme/s/${inQuarantine}${part}`)).status).toBe(404)
    expect((await client.get('/a/acme?status=refused&q=kitchen')).text).not.toContain(inQuarantine)
  })

  test('is told in their language that their agency can release what is held back', async () => {
    const { text } = await client.get(`/a/acme/s/${inQuarantine}`)
    expect(text).toContain('Ihre Agentur kann es freigeben.')
    expect(personalIn(text)).toEqual([])
  })

  test('reads the same by the API', async () => {
    const { text } = await client.get('/api/v1/accounts/acme/submissions')
    expect(JSON.parse(text).items.map(({ submissionId }: { submissionId: string }) => submissionId)).toEqual([lead])
    expect(personalIn(text)).toEqual([])
    expect((await client.get(`/api/v1/accounts/acme/submissions/${inQuarantine}`)).status).toBe(404)
    expect(personalIn((await client.get('/api/v1/accounts/acme/submissions?format=csv')).text)).toEqual([])
  })

  test('downloads leads split as Excel expects where decimals have a comma', async () => {
    const { text } = await client.get('/a/acme/leads.csv')
    expect(text.split('\r\n')[0]).toContain(';submissionId;formId;')
  })

  test('reads the console in the account’s language', async () => {
    const { text } = await client.get('/a/acme')
    expect(text).toContain('<html lang="de">')
    expect(text).toContain('>Anfragen</h1>')
    expect(text).toContain('>Abmelden</button>')
  })

  test('is invited in it, too', async () => {
    const link = await ConsoleVisitor.invite(box, ['new@acme.example', '--account', 'acme', '--role', 'client'])
    const { text } = await new ConsoleVisitor(box).get(new URL(link).pathname)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain('Passwort wiederholen')
  })
})

describe('the report of an account', () => {
  test('is read by its customer in the account’s language, menus and all', async () => {
    const { text, headers } = await client.get('/a/acme/report?from=2026-03-02&to=2026-03-01')
    expect(headers.get('content-language')).toBe('de')
    expect(text).toContain('>Bericht</h1>')
    for (const shown of [
      '7 Tage',
      'Der letzte Tag liegt vor dem ersten.',
      'Herunterladen',
      'Zahlen pro Tag',
      'Anfragen nach Formular',
    ])
      expect(text).toContain(shown)
    expect(text.match(/>(Report|Download|Leads|Show|picture|Figures by day)</g)).toBeNull()
  })

  test('says what to do in place of figures, as long as there are none', async () => {
    const page = async (visitor: ConsoleVisitor) => (await visitor.get('/a/other/report')).text
    const [ofClient, ofOwner] = [
      await page(await customer('client@other.example', 'other')),
      await page(await ConsoleVisitor.owner(box)),
    ]
    expect(ofClient).toContain('<h2>Niczego jeszcze nie policzono.</h2>')
    expect(ofClient).toMatch(/href="[^"]*go\.other\.test[^"]*\/oferta" rel="noopener noreferrer">Otwórz \/oferta</)
    expect(ofOwner).toContain('Until the first lead')
    for (const shown of [ofClient, ofOwner]) expect(shown).not.toContain('class="figures"')
  })

  test('is read by a colleague in it too, below menus in English', async () => {
    const { text } = await (await ConsoleVisitor.owner(box)).get('/a/acme/report')
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('popovertarget="files">Download</button>')
    expect(text).toContain('<div class="report" lang="de">')
    expect(text).toContain('Anfragen nach Formular')
  })

  test.each([
    ['acme', 'de', 'Oktober 2020', '<dt>Konversion</dt>'],
    ['other', 'pl', 'Październik 2020', 'Niczego jeszcze nie policzono.'],
  ])('is shared and written as a file in it: %s', async (account, language, title, shown) => {
    const owner = await ConsoleVisitor.owner(box)
    const made = await owner.sendJson('POST', `/api/v1/accounts/${account}/report/share`, { month: '2020-10' })
    const { headers, text } = await new ConsoleVisitor(box).get(new URL(JSON.parse(made.text).link).pathname)
    expect(headers.get('content-language')).toBe(language)
    const { stdout } = await box.run(['report', account, '--month', '2020-10', '--html', '-'])
    for (const page of [text, stdout]) {
      expect(page).toContain(`<html lang="${language}">`)
      expect(page).toContain(`<b>${title}</b>`)
      expect(page).toContain(shown)
    }
  })

  test('behind a link that is over is missed in the language of the browser', async () => {
    const gone = await new ConsoleVisitor(box).get('/r/nothing', { 'accept-language': 'fr-CH, fr;q=0.9, en;q=0.8' })
    expect([gone.status, gone.headers.get('content-language')]).toEqual([404, 'fr'])
    expect(gone.text).toContain('<html lang="fr">')
  })
})

test('a customer goes from a lead to the newer and the older one, past what is in quarantine', async () => {
  const later = submissionIdOf(await box.send(formRequest({ fields: { email: 'lee@example.test', name: 'Lee' } })))
  expect((await client.get('/a/acme')).text).toContain(
    `s/${later}"><span class="who"><bdi>Booking</bdi></span> <span class="gist"><bdi></bdi></span>`,
  )
  const ways = async (id: string) => {
    const { text } = await client.get(`/a/acme/s/${id}`)
    return Array.from(text.matchAll(/href="\/a\/acme\/s\/([^"]+)">([↑↓])/g), ([, to, way]) => [way, to])
  }
  expect([await ways(lead), await ways(later)]).toEqual([[['↑', later]], [['↓', lead]]])
  expect((await client.get(`/a/acme/s/${later}`)).text).toContain('<h1>Booking</h1><p class="lead soft"><time')
})

test('capture account show-personal shows and masks personal fields to customers at once', async () => {
  const show = (to: string) => box.run(['account', 'show-personal', 'acme', to, '--json'])
  expect(JSON.parse((await show('on')).stdout)).toEqual({ account: 'acme', shown: true })
  const page = await client.get(`/a/acme/s/${lead}`)
  expect(personalIn(page.text)).toEqual(personal)
  expect(page.text).not.toContain('/persons/')
  expect((await client.get(`/a/acme/s/${inQuarantine}`)).status).toBe(404)
  await show('off')
  expect(personalIn((await client.get(`/a/acme/s/${lead}`)).text)).toEqual([])
  const owner = await ConsoleVisitor.owner(box)
  const { items } = JSON.parse((await owner.get('/api/v1/audit?q=show-personal')).text)
  expect(items).toMatchObject([
    { account: 'acme', before: { shown: true }, after: { shown: false } },
    { account: 'acme', before: { shown: false }, after: { shown: true } },
  ])
})

test('a customer does not read of a lead that is not processed yet where it came from', async () => {
  using database = new Database(join(box.dir, 'data', 'capture.db'))
  expect(database.run('DELETE FROM submission_fact WHERE id = ?', [lead]).changes).toBe(1)
  const { text } = await client.get(`/a/acme/s/${lead}`)
  expect(text).toContain('kitchen')
  expect(text).not.toMatch(/Herkunft|Quelle unbekannt/)
})
