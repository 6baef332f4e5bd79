import type { JsonObject } from '../lib/json-value.ts'
import { type ChatLead, type ChatLetter, type ChatSize, fitted } from './chat-letter.ts'
import type { Lead } from './lead.ts'

const contentCharactersMax = 2000
const fieldNameCharactersMax = 256
const fieldValueCharactersMax = 1024
/** Titles, descriptions, fields and footers of all embeds together. */
const embedCharactersMax = 6000
/** At most 10 embeds of 25 fields. */
const sizes: readonly ChatSize[] = [
  { leads: 10, rows: 24, characters: 1000, lines: 60 },
  { leads: 10, rows: 24, characters: 250, lines: 20 },
  { leads: 8, rows: 8, characters: 80, lines: 5 },
  { leads: 4, rows: 6, characters: 40, lines: 1 },
  { leads: 2, rows: 4, characters: 20, lines: 1 },
]

/** The body for a Discord webhook. What was captured is escaped and mentions nobody. */
export const discordMessage = (leads: readonly Lead[]): JsonObject => fitted(leads, sizes, { make: message, fits })

interface Embed {
  title: string
  description: string
  fields: { name: string; value: string; inline: boolean }[]
  footer: { text: string }
}

function message({ title, accountName, leads, more }: ChatLetter): JsonObject {
  const content = [`**${escaped(title)}**`, ...(more === null ? [] : [escaped(more)])].join('\n')
  const embeds = leads.map((lead): JsonObject => ({ ...embed(lead, accountName) }) as JsonObject)
  return { content, embeds, allowed_mentions: { parse: [] } }
}

/** Discord treats an empty title or description as absent, and reads no Markdown in a footer. */
const embed = ({ title, notes, rows, facts, command }: ChatLead, accountName: string): Embed => ({
  title: escaped(title ?? ''),
  description: notes.join('\n'),
  fields: rows.map(({ label, value }) => ({ name: escaped(label), value: escaped(value), inline: false })),
  footer: { text: `${accountName} · ${facts}\n${command}` },
})

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
    fields.every(({ name }) => name.length <= fieldNameCharactersMax) &&
    fields.every(({ value }) => value.length <= fieldValueCharactersMax)
  )
}

/** Characters with a meaning in Discord's Markdown: some anywhere, some at the start of a line. */
const escaped = (text: string): string => text.replace(/[\\*_~`|<[\]]|^(?=[#>-])/gm, '\\$&')
