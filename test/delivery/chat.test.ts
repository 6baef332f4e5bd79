import { describe, expect, test } from 'bun:test'
import { discordMessage } from '../../src/delivery/discord.ts'
import type { Lead } from '../../src/delivery/lead.ts'
import { slackMessage } from '../../src/delivery/slack.ts'
import { teamsMessage } from '../../src/delivery/teams.ts'
import type { JsonObject, JsonValue } from '../../src/lib/json-value.ts'
import { aLead, aRecord } from './a-lead.ts'
import { hostileValues } from './hostile-values.ts'

const formats: readonly [string, (lead: Lead) => JsonObject][] = [
  ['slack', slackMessage],
  ['discord', discordMessage],
  ['teams', teamsMessage],
]

/** All texts of a message, wherever they stand. */
function texts(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(texts)
}

const said = (message: JsonObject): string => texts(message).join('\n').replaceAll('\\', '')

const hostileLead = (value: string): Lead =>
  aLead({
    // Ours, and the only thing that is a link.
    link: null,
    fields: [
      { name: 'name', value },
      { name: value, value },
      { name: 'message', value: `two words ${value}` },
    ],
    formName: value,
    accountName: value,
    record: aRecord({
      attribution: { first: null, last: { source: value || 'x', medium: value || 'x', campaign: value } },
      page: { slug: value, sha256: '0' },
    }),
  })

/** What each chat accepts, by its own documentation. */
const limits: Record<string, (message: JsonObject) => void> = {
  slack(message) {
    const blocks = message.blocks as { type: string; text?: { text: string }; elements?: { text: string }[] }[]
    expect(blocks.length).toBeLessThanOrEqual(50)
    for (const { text, elements = [] } of blocks) {
      if (text !== undefined) expect(text.text.length).toBeWithin(1, 3001)
      expect(elements.length).toBeLessThanOrEqual(10)
      for (const element of elements) expect(element.text.length).toBeWithin(1, 3001)
    }
  },
  discord(message) {
    expect((message.content as string).length).toBeWithin(1, 2001)
    const embeds = message.embeds as {
      title: string
      description: string
      fields: { name: string; value: string }[]
      footer: { text: string }
    }[]
    expect(embeds.length).toBeWithin(1, 11)
    let sum = 0
    for (const { title, description, fields, footer } of embeds) {
      expect(title.length).toBeLessThanOrEqual(256)
      expect(description.length).toBeLessThanOrEqual(4096)
      expect(fields.length).toBeLessThanOrEqual(25)
      expect(footer.text.length).toBeLessThanOrEqual(2048)
      sum += title.length + description.length + footer.text.length
      for (const { name, value } of fields) {
        expect(name.length).toBeWithin(1, 257)
        expect(value.length).toBeWithin(1, 1025)
        sum += name.length + value.length
      }
    }
    expect(sum).toBeLessThanOrEqual(6000)
  },
  teams(message) {
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(28 * 1024)
  },
}

describe.each(formats)('a message to %s', (kind, messageOf) => {
  test('tells of a lead with its fields in order, its time, page and source', () => {
    const text = said(messageOf(aLead()))
    const expected = [
      'Contact: Ada Lovelace',
      'Name',
      'ada@visitor.example',
      'Company size',
      '11 to 50',
      'Good morning,',
    ]
    for (const words of [...expected, '22 November 2026, 09:15 CET', 'go.acme.example/launch', 'google / organic'])
      expect(text).toContain(words)
    expect(text).toContain('https://console.agency.example/a/acme/s/019408c2-5a8e-7c34-9d0a-2f3b6c1d7e90')
    expect(text).not.toMatch(/capture /i)
    expect(text.indexOf('Company size')).toBeLessThan(text.lastIndexOf('Good morning,'))
  })

  test('marks a test, and what was released', () => {
    expect(said(messageOf(aLead({ record: aRecord({ test: true }) })))).toContain('This is a test. Nobody sent it.')
    expect(said(messageOf(aLead({ record: aRecord({ refusedFor: 'honeypot' }) })))).toContain('released by hand')
  })

  test('is the same for the same lead', () => {
    expect(messageOf(aLead())).toEqual(messageOf(aLead()))
  })

  test('stays within its limits, whatever was typed', () => {
    for (const value of hostileValues) {
      limits[kind]?.(messageOf(hostileLead(value)))
    }
    const wide = {
      fields: Array.from({ length: 500 }, (_, i) => ({ name: `*_<&>${i}`, value: '\\*_<&>\n'.repeat(300) })),
    }
    limits[kind]?.(messageOf(aLead(wide)))
  })

  test('counts fields that no form would have', () => {
    const fields = Array.from({ length: 300 }, (_, index) => ({ name: `field${index}`, value: 'x' }))
    expect(said(messageOf(aLead({ fields })))).toMatch(/and \d+ more fields/)
  })

  test('has no character that is not seen', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/
    for (const value of hostileValues)
      for (const text of texts(messageOf(hostileLead(value)))) {
        expect(text).not.toMatch(unseen)
        expect(text.isWellFormed()).toBe(true)
      }
  })
})

test('Slack shows a lead of the greatest length in full', () => {
  const words = Array.from({ length: 2300 }, (_, index) => `w${index}&`).join(' ')
  const { blocks } = slackMessage(aLead({ fields: [{ name: 'message', value: words }] }))
  const sections = (blocks as { text?: { text: string } }[]).flatMap(({ text }) => text?.text ?? [])
  const read = sections.join('\n').replaceAll('&amp;', '&').replaceAll(/^>/gm, '').replaceAll(/\s+/g, ' ')
  expect(read).toContain(words)
})

test('Discord shows a text in full that is too long for a field', () => {
  const words = Array.from({ length: 500 }, (_, index) => `w${index}_&`).join(' ')
  const fields = [
    { name: 'message', value: words },
    { name: 'phone', value: '0170' },
  ]
  const message = discordMessage(aLead({ fields }))
  limits.discord?.(message)
  expect(said(message)).toContain(`**Message**\n${words}\n**Phone**\n0170`)
})

describe('what was typed is text', () => {
  const everywhere = (messageOf: (lead: Lead) => JsonObject) =>
    hostileValues.map((value) => messageOf(hostileLead(value)))

  test('in Slack: no tag, no entity, no link and no mention', () => {
    for (const message of everywhere(slackMessage)) {
      expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false })
      for (const block of message.blocks as JsonObject[]) {
        const parts = [block.text, ...((block.elements as JsonValue[] | undefined) ?? [])].filter((part) => part)
        for (const part of parts) expect(part).toMatchObject({ type: 'mrkdwn', verbatim: true })
      }
      for (const text of texts(message)) {
        expect(text.replace(/\n>/g, '\n').replace(/^>/, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
        expect(text).not.toMatch(/@(?:channel|here|everyone|all)\b/i)
      }
    }
  })

  test('in Discord: notation is escaped, and nobody is called', () => {
    for (const message of everywhere(discordMessage)) {
      expect(message.allowed_mentions).toEqual({ parse: [] })
      const embeds = message.embeds as { title: string; fields: { name: string; value: string }[] }[]
      const read = embeds.flatMap(({ title, fields }) => [title, ...fields.flatMap(({ name, value }) => [name, value])])
      const content = (message.content as string).replace(/^\*\*|\*\*$/gm, '')
      for (const text of [...read, content]) expect(text.replace(/\\./gs, 'x')).not.toMatch(/[\\*_~`|<[\]]|^[#>-]/m)
    }
  })

  test('in Teams: it is in text runs, which are not parsed', () => {
    for (const message of everywhere(teamsMessage)) {
      const [attachment] = message.attachments as {
        contentType: string
        content: { body: JsonObject[]; msteams: JsonObject }
      }[]
      expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive')
      expect(attachment?.content.msteams).toEqual({ width: 'Full' })
      for (const { type, inlines } of attachment?.content.body ?? []) {
        expect(type).toBe('RichTextBlock')
        for (const run of inlines as JsonObject[]) expect(run.type).toBe('TextRun')
      }
    }
  })
})
