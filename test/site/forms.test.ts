import { describe, expect, test } from 'bun:test'
import { siteFaultLine } from '../../src/site/site-faults.ts'
import { ASiteFolder } from './a-site-folder.ts'

const form = (...lines: string[]) => `[[forms]]\n${lines.join('\n')}\n`

describe('forms', () => {
  test('have defaults for everything but an id', async () => {
    using site = new ASiteFolder(form('id = "contact1"'))
    expect((await site.read()).forms).toEqual([
      {
        id: 'contact1',
        name: 'contact1',
        registered: true,
        honeypot: '_hp',
        botCheck: 'inherit',
        consentTextId: null,
        redirectUrl: null,
        schema: { type: 'object', required: [], properties: {} },
        confirm: null,
        reply: null,
        files: {},
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
    const folder = await site.read()
    const { forms } = folder
    const warnings = folder.warnings.map(siteFaultLine)
    expect(forms[0]?.reply).toEqual({ subject: 'Thanks', text: 'We got it.' })
    expect(warnings).toEqual(Array(count).fill(expect.stringContaining('forms[0].reply: nobody gets it')))
  })

  test('that ask to confirm need a required bot check', async () => {
    const confirm = 'confirm = { subject = "Confirm", text = "Please." }'
    using site = new ASiteFolder(
      form('id = "contact1"', confirm) + form('id = "contact2"', 'bot_check = "on"', confirm),
    )
    const { forms, warnings } = await site.read()
    expect(forms[0]?.confirm).toEqual({ subject: 'Confirm', text: 'Please.' })
    expect(warnings.map(siteFaultLine)).toEqual([expect.stringContaining('forms[0].confirm: nobody gets it')])
  })

  test('may share a name', async () => {
    using site = new ASiteFolder(form('id = "contact1"', 'name = "A"') + form('id = "contact2"', 'name = "A"'))
    expect(await site.faults()).toEqual([])
  })

  test.each(['', 'id = ""'])('without an id (%s) are a fault that offers a fresh one', async (id) => {
    using site = new ASiteFolder(form('name = "Contact"', id))
    const [first = '', ...others] = await site.faults()
    expect(others).toEqual([])
    expect(first).toMatch(/^site\.toml:[46] forms\[0\]\.id: is missing; .*: id = "[a-z0-9]{8}"$/)
    const [, pasted = ''] = first.split('to paste: ')
    using mended = new ASiteFolder(form('name = "Contact"', pasted))
    expect(await mended.faults()).toEqual([])
    expect(await site.faults()).not.toEqual([first])
  })

  test.each([
    [form('id = "Contact1"'), 'site.toml:5 forms[0].id: must be eight of [a-z0-9]'],
    [form('id = "contact"'), 'site.toml:5 forms[0].id: must be eight'],
    [
      form('id = "contact1"') + form('id = "contact1"'),
      'site.toml:7 forms[1].id: "contact1" is also the id of forms[0] (line 4)',
    ],
    [
      form('id = "contact1"', 'bot_check = "maybe"'),
      'site.toml:6 forms[0].bot_check: must be "inherit", "on" or "off"',
    ],
    [form('id = "contact1"', 'honey = "x"'), 'site.toml:6 forms[0].honey: no such setting'],
    [form('id = "contact1"', 'honeypott = "x"'), 'did you mean "honeypot"?'],
    [
      form('id = "contact1"', 'honeypot = true'),
      'site.toml:6 forms[0].honeypot: must be a field name of [A-Za-z0-9_.-], or false; found true',
    ],
    [form('id = "contact1"', 'honeypot = ""'), 'forms[0].honeypot: must be a field name'],
    [form('id = "contact1"', 'honeypot = "__proto__\\""'), 'forms[0].honeypot: must be a field name'],
    [form('id = "contact1"', 'honeypot = "email"'), 'forms[0].honeypot: "email" has a special meaning'],
    [form('id = "contact1"', 'honeypot = "botcheck-response"'), 'has a special meaning'],
    [form('id = "contact1"', 'honeypot = "consentTextId"'), 'has a special meaning'],
    [form('id = "contact1"', 'schema = "x"'), 'site.toml:6 forms[0].schema: must be a table; found "x"'],
    [form('id = "contact1"', 'schema = { type = "array" }'), 'forms[0].schema.type: must be "object"'],
    [
      form('id = "contact1"', 'schema = { required = "email" }'),
      'forms[0].schema.required: must be a list of field names',
    ],
    [form('id = "contact1"', 'schema = { required = [1] }'), 'forms[0].schema.required: must be a list of field names'],
    [
      form('id = "contact1"', 'schema = { properties = { a = "string" } }'),
      'forms[0].schema.properties: must be a table with a table for each field',
    ],
    [
      form('id = "contact1"', 'schema = { properties = { _hp = {} } }'),
      'forms[0].schema.properties._hp: is the honeypot',
    ],
    [
      form('id = "contact1"', 'schema.properties.a.default = 1979-05-27'),
      'forms[0].schema.properties.a.default: must be a date in quotes',
    ],
    [
      form('id = "contact1"', `schema.properties.a.pattern = "${'x'.repeat(33_000)}"`),
      'forms[0].schema: longer than 32768 characters',
    ],
  ])('%j is a fault', async (toml, fault) => {
    using site = new ASiteFolder(toml)
    expect(await site.faults()).toEqual([expect.stringContaining(fault)])
  })

  test('each have their faults told', async () => {
    using site = new ASiteFolder(form('id = "x"') + form('honeypot = true') + form('registered = false'))
    expect((await site.faults()).map((fault) => fault.split(': ')[0])).toEqual([
      'site.toml:5 forms[0].id',
      'site.toml:7 forms[1].honeypot',
      'site.toml:8 forms[2].id',
    ])
  })

  test('that declare a field which is never stored are warned of', async () => {
    using site = new ASiteFolder(form('id = "contact1"', 'schema.properties = { consentTextId = {}, email = {} }'))
    expect((await site.read()).warnings.map(siteFaultLine)).toEqual([
      expect.stringContaining('forms[0].schema.properties.consentTextId'),
    ])
  })
})

describe('a schema', () => {
  test('may say of a field what JSON Schema says', async () => {
    using site = new ASiteFolder(
      form(
        'id = "contact1"',
        '[forms.schema]',
        'title = "Contact"',
        '[forms.schema.properties]',
        'email = { type = ["string", "null"], format = "email", maxLength = 200 }',
        'rooms = { type = "array", items = { type = "string", enum = ["kitchen", "bath"] }, uniqueItems = true }',
        '"any name" = {}',
      ),
    )
    expect(await site.faults()).toEqual([])
  })

  test.each([
    ['properties = { a = { type = "strin" } }', 'properties.a.type: no such type; did you mean "string"?'],
    [
      'properties = { a = { type = "date" } }',
      'properties.a.type: no such type; possible here: string, number, integer',
    ],
    ['properties = { a = { type = ["null", "text"] } }', 'properties.a.type: no such type; possible here: '],
    ['properties = { a = { type = 5 } }', 'properties.a.type: no such type; possible here: '],
    ['properties = { a = { maxlength = 5 } }', 'properties.a.maxlength: no such keyword; did you mean "maxLength"?'],
    ['properties = { a = { required = true } }', 'properties.a.required: no such keyword; possible here: type, format'],
    [
      'properties = { a = { items = { typ = "string" } } }',
      'properties.a.items.typ: no such keyword; did you mean "type"?',
    ],
    ['require = ["email"]', 'require: no such keyword; did you mean "required"?'],
    [
      'additionalProperties = false',
      'additionalProperties: no such keyword; possible here: type, required, properties',
    ],
  ])('that says %s is a fault', async (line, fault) => {
    using site = new ASiteFolder(form('id = "contact1"', '[forms.schema]', line))
    expect(await site.faults()).toEqual([expect.stringContaining(` forms[0].schema.${fault}`)])
  })

  test('with thousands of unknown keywords has a hundred of them told', async () => {
    const keywords = Array.from({ length: 3000 }, (_, index) => `x${index} = 1`)
    using site = new ASiteFolder(form('id = "contact1"', `schema.properties = { a = { ${keywords.join(', ')} } }`))
    expect(await site.faults()).toHaveLength(100)
  })
})

describe('a redirect', () => {
  test.each(['https://go.acme.example/thanks', 'https://www.acme.example/'])('to %s is fine', async (url) => {
    using site = new ASiteFolder(
      `origins = ["https://*.acme.example"]\n${form('id = "contact1"', `redirect_url = "${url}"`)}`,
    )
    expect((await site.read()).warnings.map(siteFaultLine)).toEqual([])
  })

  test.each(['https://evil.example/', 'thanks.html', 'javascript:alert(1)'])(
    'to %s is kept, and warned of',
    async (url) => {
      using site = new ASiteFolder(form('id = "contact1"', `redirect_url = "${url}"`))
      const folder = await site.read()
      const { forms } = folder
      const warnings = folder.warnings.map(siteFaultLine)
      expect(forms[0]?.redirectUrl).toBe(url)
      expect(warnings).toEqual([expect.stringContaining('site.toml:6 forms[0].redirect_url: is left out of answers')])
    },
  )
})
