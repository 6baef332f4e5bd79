import { describe, expect, test } from 'bun:test'
import { withoutSecrets } from '../../src/site/site-toml.ts'

const kept = '"(kept in the box)"'

describe('a site.toml without its secrets', () => {
  test.each([
    ['of the bot check', '[bot_check]\nsecret = "s3cret" # why\n', `[bot_check]\nsecret = ${kept} # why\n`],
    ['under a dotted key', "bot_check.secret = 's3cret'\n", `bot_check.secret = ${kept}\n`],
    [
      'in an inline table',
      'bot_check = { secret = "s3cret", required = true }',
      `bot_check = { secret = ${kept}, required = true }`,
    ],
    ['of several lines', '[bot_check]\nsecret = """\ns3cret"""\n', `[bot_check]\nsecret = ${kept}\n`],
    [
      'of a webhook',
      '[[deliveries]]\nname = "crm"\nsecret = "whsec_a"\n',
      `[[deliveries]]\nname = "crm"\nsecret = ${kept}\n`,
    ],
    [
      'in a list of inline tables',
      'deliveries = [{ kind = "webhook", secret = "a" }]',
      `deliveries = [{ kind = "webhook", secret = ${kept} }]`,
    ],
    [
      'that is the address of a chat',
      '[[deliveries]]\nurl = "https://hooks.example/T0/x"\nkind = "slack"\n',
      `[[deliveries]]\nurl = ${kept}\nkind = "slack"\n`,
    ],
    ['behind a byte order mark', '\uFEFFbot_check.secret = "s3cret"\r\n', `\uFEFFbot_check.secret = ${kept}\r\n`],
    [
      'behind characters of two units',
      'name = "🦊"\nbot_check.secret = "s3cret"\n',
      `name = "🦊"\nbot_check.secret = ${kept}\n`,
    ],
  ])('has none %s', (_, text, expected) => {
    expect(withoutSecrets(text)).toBe(expected)
  })

  test('is otherwise the same to the byte', () => {
    const text =
      '\uFEFF# a note\r\naccount = "acme"\r\n\r\n[bot_check]\r\nsecret_env = "S"\r\n[[deliveries]]\r\nkind="webhook"\r\nurl = "https://crm.example/x"\r\n[[forms]]\r\nname = \'secret\'\r\n\t[forms.schema]\r\n\tproperties = { secret = { title = "secret" } }\r\n'
    expect(withoutSecrets(text)).toBe(text)
  })

  test('stays the same when its secrets were taken out before', () => {
    const text = withoutSecrets('[bot_check]\nsecret = "s3cret"\n')
    expect(withoutSecrets(text)).toBe(text)
  })
})
