import { describe, expect, test } from 'bun:test'
import { ASiteFolder } from './a-site-folder.ts'

const form = (...lines: string[]) => `[[forms]]\n${lines.join('\n')}\n`

describe('forms', () => {
  test('have defaults for everything but a name', async () => {
    using site = new ASiteFolder(form('name = "Contact"'))
    expect((await site.read()).forms).toEqual([
      {
        id: null,
        name: 'Contact',
        registered: true,
        honeypot: '_hp',
        botCheck: 'inherit',
        consentTextId: null,
        redirectUrl: null,
        schema: { type: 'object', required: [], properties: {} },
        reply: null,
      },
    ])
  })

  const reply = 'reply = { subject = "Thanks", text = "We got it." }'
  test.each([
    ['on', '', 0],
    ['inherit', '[bot_check]\nrequired = true\n', 0],
    ['inherit', '', 1],
    ['off', '[bot_check]\nrequired = true\n', 1],
  ])('with a reply and bot_check = "%s" %j warn %i times that nobody gets it', async (botCheck, table, count) => {
    using site = new ASiteFolder(table + form('id = "contact1"', `bot_check = "${botCheck}"`, reply))
    const { forms, warnings } = await site.read()
    expect(forms[0]?.reply).toEqual({ subject: 'Thanks', text: 'We got it.' })
    expect(warnings).toEqual(Array(count).fill(expect.stringContaining('forms[0].reply: nobody gets it')))
  })

  test('without a name go by their id', async () => {
    using site = new ASiteFolder(form('id = "contact1"'))
    expect((await site.read()).forms[0]?.name).toBe('contact1')
  })

  test('may share a name when each has an id', async () => {
    using site = new ASiteFolder(form('id = "contact1"', 'name = "A"') + form('id = "contact2"', 'name = "A"'))
    expect(await site.faults()).toEqual([])
  })

  test.each([
    [form('registered = true'), 'site.toml:4 forms[0]: a form needs an id or a name'],
    [form('id = "Contact1"'), 'site.toml:5 forms[0].id: expected eight of [a-z0-9]'],
    [form('id = "contact"'), 'site.toml:5 forms[0].id: expected eight'],
    [
      form('id = "contact1"') + form('id = "contact1"'),
      'site.toml:7 forms[1].id: "contact1" is also the id of forms[0] (line 4)',
    ],
    [
      form('id = "contact1"', 'name = "A"') + form('name = "A"'),
      'site.toml:8 forms[1].name: "A" is also the name of another form; give this one an id',
    ],
    [
      form('name = "A"', 'bot_check = "maybe"'),
      'site.toml:6 forms[0].bot_check: expected one of "inherit", "on", "off"',
    ],
    [form('name = "A"', 'honey = "x"'), 'site.toml:6 forms[0].honey: unknown key'],
    [form('name = "A"', 'honeypott = "x"'), 'did you mean "honeypot"?'],
    [
      form('name = "A"', 'honeypot = true'),
      'site.toml:6 forms[0].honeypot: expected a field name of [A-Za-z0-9_.-], or false, found true',
    ],
    [form('name = "A"', 'honeypot = ""'), 'forms[0].honeypot: expected a field name'],
    [form('name = "A"', 'honeypot = "__proto__\\""'), 'forms[0].honeypot: expected a field name'],
    [form('name = "A"', 'honeypot = "email"'), 'forms[0].honeypot: "email" has a special meaning'],
    [form('name = "A"', 'honeypot = "botcheck-response"'), 'has a special meaning'],
    [form('name = "A"', 'honeypot = "consentTextId"'), 'has a special meaning'],
    [form('name = "A"', 'schema = "x"'), 'site.toml:6 forms[0].schema: expected a table, found "x"'],
    [form('name = "A"', 'schema = { type = "array" }'), 'forms[0].schema.type: expected "object"'],
    [form('name = "A"', 'schema = { required = "email" }'), 'forms[0].schema.required: expected a list of field names'],
    [form('name = "A"', 'schema = { required = [1] }'), 'forms[0].schema.required: expected a list of field names'],
    [
      form('name = "A"', 'schema = { properties = { a = "string" } }'),
      'forms[0].schema.properties: expected a table with a table for each field',
    ],
    [form('name = "A"', 'schema = { properties = { _hp = {} } }'), 'forms[0].schema.properties._hp: is the honeypot'],
    [
      form('name = "A"', 'schema.properties.a.default = 1979-05-27'),
      'forms[0].schema.properties.a.default: expected a date in quotes',
    ],
    [
      form('name = "A"', `schema.properties.a.pattern = "${'x'.repeat(33_000)}"`),
      'forms[0].schema: longer than 32768 characters',
    ],
  ])('%j is a fault', async (toml, fault) => {
    using site = new ASiteFolder(toml)
    expect(await site.faults()).toEqual([expect.stringContaining(fault)])
  })

  test('each have their faults told', async () => {
    using site = new ASiteFolder(form('id = "x"') + form('name = "B"', 'honeypot = true') + form('registered = false'))
    expect((await site.faults()).map((fault) => fault.split(': ')[0])).toEqual([
      'site.toml:5 forms[0].id',
      'site.toml:8 forms[1].honeypot',
      'site.toml:9 forms[2]',
    ])
  })

  test('that declare a field which is never stored are warned of', async () => {
    using site = new ASiteFolder(form('name = "A"', 'schema.properties = { consentTextId = {}, email = {} }'))
    expect((await site.read()).warnings).toEqual([expect.stringContaining('forms[0].schema.properties.consentTextId')])
  })
})

describe('a redirect', () => {
  test.each(['https://go.acme.example/thanks', 'https://www.acme.example/'])('to %s is fine', async (url) => {
    using site = new ASiteFolder(
      `origins = ["https://*.acme.example"]\n${form('name = "A"', `redirect_url = "${url}"`)}`,
    )
    expect((await site.read()).warnings).toEqual([])
  })

  test.each(['https://evil.example/', 'thanks.html', 'javascript:alert(1)'])(
    'to %s is kept, and warned of',
    async (url) => {
      using site = new ASiteFolder(form('name = "A"', `redirect_url = "${url}"`))
      const { forms, warnings } = await site.read()
      expect(forms[0]?.redirectUrl).toBe(url)
      expect(warnings).toEqual([expect.stringContaining('site.toml:6 forms[0].redirect_url: is left out of answers')])
    },
  )
})
