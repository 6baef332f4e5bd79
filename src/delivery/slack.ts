import type { JsonObject } from '../lib/json-value.ts'
import { type ChatLetter, type ChatSize, fitted } from './chat-letter.ts'
import type { Lead } from './lead.ts'

const blocksMax = 50
const sectionCharactersMax = 3000
const lineCharactersMax = 2800
const sizes: readonly ChatSize[] = [
  { rows: 200, characters: 16_384, lines: 1000 },
  { rows: 40, characters: 2000, lines: 60 },
  { rows: 20, characters: 500, lines: 20 },
  { rows: 10, characters: 150, lines: 5 },
]

/**
 * The body for an incoming webhook of Slack (Block Kit) and of compatible chats. What was captured is escaped, quoted,
 * and marked so that Slack makes no links or mentions of it.
 */
export const slackMessage = (lead: Lead): JsonObject => fitted(lead, sizes, { make: message, fits })

function message({ title, accountName, words, notes, rows, facts, link }: ChatLetter): JsonObject {
  const parts = [...notes.map(escaped), ...rows.flatMap(({ label, value }) => [bold(label), ...quotedLines(value)])]
  const more = link === null ? '' : `\n<${link.url}|${escaped(link.text)}>`
  return {
    text: escaped(words === null ? title : `${title}: ${words}`),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [section(bold(title)), ...sections(parts), context(`${escaped(`${accountName} · ${facts}`)}${more}`)],
  }
}

/** As few sections as the parts fit into. */
function sections(parts: readonly string[]): JsonObject[] {
  const texts: string[] = []
  for (const part of parts) {
    const joined = `${texts.at(-1) ?? ''}\n${part}`
    if (texts.length > 0 && joined.length <= sectionCharactersMax) texts[texts.length - 1] = joined
    else texts.push(part)
  }
  return texts.map(section)
}

const section = (text: string): JsonObject => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })

const context = (text: string): JsonObject => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text, verbatim: true }],
})

function fits(message: JsonObject): boolean {
  const blocks = message.blocks as { text?: { text: string } }[]
  return (
    blocks.length <= blocksMax &&
    blocks.every(({ text }) => text === undefined || text.text.length <= sectionCharactersMax)
  )
}

/** An asterisk within the text would end the bold part. */
const bold = (text: string): string => `*${escaped(text.replaceAll('*', '∗'))}*`

/** A line that is too long for a section is continued in the next. */
const quotedLines = (value: string): string[] =>
  value.split('\n').flatMap((line) => {
    const whole = `>${escaped(line)}`
    if (whole.length <= lineCharactersMax) return [whole]
    // An escaped character is at most five long.
    return [...(line.match(/.{1,500}(?:\s|$)|.{1,500}/gsu) ?? [])].map((piece) => `>${escaped(piece)}`)
  })

/**
 * The three characters with a meaning in Slack. Compatible chats notify everybody if a text says so: a word joiner
 * breaks such names up.
 */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=(?:channel|here|everyone|all)\b)/gi, '@\u2060')
