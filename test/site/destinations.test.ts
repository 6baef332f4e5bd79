import { describe, expect, test } from 'bun:test'
import { webhookSecretFingerprint } from '../../src/account/webhook-secret.ts'
import { siteFaultLine } from '../../src/site/site-faults.ts'
import { ASiteFolder } from './a-site-folder.ts'

const head = 'account = "acme"\nname = "Acme Studio"\ndomains = ["go.acme.example"]\n'
const form = '[[forms]]\nid = "contact1"\nname = "Contact"\n[[forms]]\nid = "newslet1"\n'
const delivery = (...lines: string[]): string => `${head}${form}${['[[deliveries]]', ...lines].join('\n')}\n`

const mail = ['name = "sales"', 'kind = "mail"', 'to = ["sales@acme.example"]']
const webhook = ['name = "crm"', 'kind = "webhook"', 'url = "https://crm.example/hooks"']
/** As a destination gets it that names no form, no answer and no confirmation. */
const everything = { forms: null, when: null, confirmed: false }
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

const read = async (toml: string, env: Record<string, string> = {}) => {
  using site = new ASiteFolder()
  return await site.write('site.toml', toml).read(env)
}

const faults = async (toml: string): Promise<string[]> => {
  using site = new ASiteFolder()
  return await site.write('site.toml', toml).faults()
}

describe('deliveries', () => {
  test('are read, each kind with its keys', async () => {
    const toml =
      delivery(...mail, 'forms = ["contact1", "newslet1"]', 'confirmed = true') +
      [
        ['[[deliveries]]', 'name = "team"', 'kind = "slack"', 'url = "https://hooks.slack.com/services/T/B/x"'],
        ['[[deliveries]]', 'name = "monthly"', 'kind = "report"', 'to = ["o@acme.example"]', 'every = "month"'],
      ]
        .flat()
        .join('\n')
    expect((await read(toml)).destinations.map(({ destination }) => destination)).toEqual([
      {
        name: 'sales',
        kind: 'mail',
        to: ['sales@acme.example'],
        forms: ['contact1', 'newslet1'],
        when: null,
        confirmed: true,
      },
      { name: 'team', kind: 'slack', url: 'https://hooks.slack.com/services/T/B/x', ...everything },
      { name: 'monthly', kind: 'report', to: ['o@acme.example'], every: 'month' },
    ])
  })

  test('that wait for confirmations warn of forms that ask for none', async () => {
    const asks = '[[forms]]\nid = "asking01"\nbot_check = "on"\nconfirm = { subject = "Confirm", text = "Please." }\n'
    const waiting = (...lines: string[]) => delivery(...mail, 'confirmed = true', ...lines)
    const warnings = async (toml: string) => (await read(toml + asks)).warnings.map(siteFaultLine)
    expect(await warnings(waiting('forms = ["asking01"]'))).toEqual([])
    expect(await warnings(waiting())).toEqual([
      expect.stringContaining('deliveries[0].confirmed: nothing of contact1, newslet1 is sent there'),
    ])
  })

  test('keep the secret of a webhook out of the settings', async () => {
    const { destinations } = await read(delivery(...webhook, 'secret_env = "CRM"'), { CRM: ` ${secret}\n` })
    expect(destinations).toMatchObject([
      {
        destination: {
          name: 'crm',
          kind: 'webhook',
          url: 'https://crm.example/hooks',
          forms: null,
          when: null,
          confirmed: false,
          givenSecret: webhookSecretFingerprint(secret),
        },
        secret,
        urlPlace: { key: 'deliveries[0].url', line: 12 },
      },
    ])
  })

  test.each<[string, string, string]>([
    ['a name of other characters', delivery('name = "Sales"', ...mail.slice(1)), 'deliveries[0].name'],
    ['an unknown kind', delivery('name = "a"', 'kind = "fax"'), 'deliveries[0].kind'],
    ['a name given twice', delivery(...mail, '[[deliveries]]', ...mail), 'deliveries[1].name'],
    ['a mail to nobody', delivery(...mail.slice(0, 2)), 'deliveries[0].to'],
    [
      'a list within one address',
      delivery('name = "a"', 'kind = "mail"', 'to = ["a@b.cd,c@d.ef"]'),
      'deliveries[0].to[0]',
    ],
    [
      'a line break within an address',
      delivery('name = "a"', 'kind = "mail"', 'to = ["a@b.cd\\r\\nRCPT TO:<x@y.zz>"]'),
      'deliveries[0].to[0]',
    ],
    [
      'a name beside an address',
      delivery('name = "a"', 'kind = "mail"', 'to = ["Ann <a@b.cd>"]'),
      'deliveries[0].to[0]',
    ],
    ['a form that is not there', delivery(...mail, 'forms = ["contact2"]'), 'deliveries[0].forms'],
    ['the name of a form', delivery(...mail, 'forms = ["Contact"]'), 'deliveries[0].forms'],
    ['no url', delivery(...webhook.slice(0, 2)), 'deliveries[0].url'],
    ['another scheme', delivery(...webhook.slice(0, 2), 'url = "ftp://crm.example/"'), 'deliveries[0].url'],
    [
      'credentials in the url',
      delivery(...webhook.slice(0, 2), 'url = "https://a:b@crm.example/"'),
      'deliveries[0].url',
    ],
    ['a key of another kind', delivery(...webhook, 'to = ["a@b.cd"]'), 'deliveries[0].to'],
    ['a secret for a mail', delivery(...mail, `secret = "${secret}"`), 'deliveries[0].secret'],
    ['a secret that is no key', delivery(...webhook, 'secret = "hunter2"'), 'deliveries[0].secret'],
    ['a variable that is not set', delivery(...webhook, 'secret_env = "CRM"'), 'deliveries[0].secret_env'],
    [
      'a report without an interval',
      delivery('name = "a"', 'kind = "report"', 'to = ["a@b.cd"]'),
      'deliveries[0].every',
    ],
  ])('with %s are a fault that names its key', async (_, toml, key) => {
    const [line, ...others] = await faults(toml)
    expect(line).toStartWith('site.toml:')
    expect(line).toContain(` ${key}: `)
    expect(others).toEqual([])
  })

  test('never quote an address that may hold a key', async () => {
    const [line] = await faults(delivery(...webhook.slice(0, 2), 'url = "https://user:S3CRET@crm.example/"'))
    expect(line).not.toContain('S3CRET')
  })
})

describe('the reply of a form', () => {
  test('is text of several lines under one subject', async () => {
    const toml = `${head}[[forms]]\nid = "contact1"\nreply = { subject = "Hi", text = "a\\r\\nb" }\n`
    expect((await read(toml)).forms[0]?.reply).toEqual({ subject: 'Hi', text: 'a\nb' })
  })

  test('has no control character and no line break in its subject', async () => {
    const toml = `${head}[[forms]]\nid = "contact1"\nreply = { subject = "Hi\\nBcc: x", text = "a\\u0007" }\n`
    expect((await faults(toml)).map((line) => line.split(' ')[1])).toEqual([
      'forms[0].reply.subject:',
      'forms[0].reply.text:',
    ])
  })
})

describe('when', () => {
  const withFields = (condition: string, more = ''): string =>
    delivery(...mail, condition, more).replace(
      'name = "Contact"',
      'name = "Contact"\nschema = { properties = { interest = {}, message = {} } }',
    )

  test('is read', async () => {
    const { destinations, warnings } = await read(withFields('when = { field = "interest", is = ["kitchen", "bath"] }'))
    expect(destinations[0]?.destination).toMatchObject({
      when: { field: 'interest', is: ['kitchen', 'bath'], isNot: null },
    })
    expect(warnings).toEqual([])
  })

  test('warns of a field that the named form lacks, and of one that every form lacks', async () => {
    const condition = 'when = { field = "intrest", is_not = ["bath"] }'
    const named = await read(withFields(condition, 'forms = ["contact1"]'))
    expect(named.warnings).toMatchObject([
      { kind: 'unknown_field', file: 'site.toml', line: 14, key: 'deliveries[0].when' },
    ])
    expect(named.warnings[0]?.message).toBe('the form "contact1" has no field "intrest"; did you mean "interest"?')
    expect((await read(withFields(condition))).warnings).toHaveLength(1)
    const others = await read(withFields('when = { field = "interest", is = ["bath"] }', 'forms = ["newslet1"]'))
    expect(others.warnings).toMatchObject([{ kind: 'unknown_field' }])
  })

  test.each([
    ['both lists', 'when = { field = "interest", is = ["a"], is_not = ["b"] }'],
    ['neither', 'when = { field = "interest" }'],
    ['no values', 'when = { field = "interest", is = [] }'],
    ['no field', 'when = { is = ["a"] }'],
  ])('with %s is a fault', async (_, condition) => {
    expect((await faults(withFields(condition)))[0]).toContain('deliveries[0].when')
  })
})
