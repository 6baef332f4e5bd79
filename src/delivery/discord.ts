import type { JsonObject } from '../lib/json-value.ts'
import { type ChatLetter, type ChatSize, fitted } from './chat-letter.ts'
import type { Lead } from './lead.ts'

const contentCharactersMax = 2000
const fieldNameCharactersMax = 256
const fieldValueCharactersMax = 1024
const descriptionCharactersMax = 4096
/** Titles, descriptions, fields and footers of all embeds together. */
const embedCharactersMax = 6000
/** An embed has at most 25 fields. */
const sizes: readonly ChatSize[] = [
  { rows: 24, characters: 4000, lines: 200 },
  { rows: 24, characters: 1000, lines: 60 },
  { rows: 24, characters: 250, lines: 20 },
  { rows: 8, characters: 80, lines: 5 },
  { rows: 4, characters: 20, lines: 1 },
]

/** The body for a Discord webhook. What was captured is escaped and mentions nobody. */
export const discordMessage = (lead: Lead): JsonObject => fitted(lead, sizes, { make: message, fits })

interface Embed {
  title: string
  url?: string
  description: string
  fields: { name: string; value: string; inline: boolean }[]
  footer: { text: string }
}

function message(letter: ChatLetter): JsonObject {
  const content = `**${escaped(letter.title)}**`
  return { content, embeds: [{ ...embed(letter) } as JsonObject], allowed_mentions: { parse: [] } }
}

/**
 * Discord treats an empty title or description as absent, and reads no Markdown in a footer. What is too long for a field is shown
 * in the description, with all others, so that they keep their order.
 */
function embed({ accountName, notes, rows, facts, link }: ChatLetter): Embed {
  const fields = rows.map(({ label, value }) => ({ name: escaped(label), value: escaped(value), inline: false }))
  const isLong = fields.some(({ value }) => value.length > fieldValueCharactersMax)
  const paragraphs = isLong ? fields.map(({ name, value }) => `**${name}**\n${value}`) : []
  return {
    title: link?.text ?? '',
    ...(link !== null && { url: link.url }),
    description: [...notes, ...paragraphs].join('\n'),
    fields: isLong ? [] : fields,
    footer: { text: `${accountName} · ${facts}` },
  }
}

function fits(message: JsonObject): boolean {
  const { content, embeds } = message as unknown as { content: string; embeds: Embed[] }
  const fields = embeds.flatMap((embed) => embed.fields)
  const texts = [
    ...embeds.flatMap(({ title, description, footer }) => [title, description, footer.text]),
    ...fields.flatMap(({ name, value }) => [name, value]),
  ]
  return (
    content.length <= contentCharactersMax &&
    texts.reduce((sum, text) => sum + text.length, 0) <= embedCharactersMax &&
    embeds.every(({ description }) => description.length <= descriptionCharactersMax) &&
    fields.every(({ name }) => name.length <= fieldNameCharactersMax)
  )
}

/** Characters with a meaning in Discord's Markdown: some anywhere, some at the start of a line. */
const escaped = (text: string): string => text.replace(/[\\*_~`|<[\]]|^(?=[#>-])/gm, '\\$&')
