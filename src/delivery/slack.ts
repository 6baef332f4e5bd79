import type { JsonObject } from '../lib/json-value.ts'
import { type ChatLead, type ChatLetter, type ChatSize, fitted } from './chat-letter.ts'
import type { Lead } from './lead.ts'

const blocksMax = 50
const sectionCharactersMax = 3000
const sizes: readonly ChatSize[] = [
  { leads: 10, rows: 20, characters: 2000, lines: 60 },
  { leads: 10, rows: 20, characters: 500, lines: 20 },
  { leads: 10, rows: 10, characters: 150, lines: 5 },
  { leads: 5, rows: 8, characters: 80, lines: 1 },
]

/**
 * The body for an incoming webhook of Slack (Block Kit) and of compatible chats. What was captured is escaped, quoted,
 * and marked so that Slack makes no links or mentions of it.
 */
export const slackMessage = (leads: readonly Lead[]): JsonObject => fitted(leads, sizes, { make: message, fits })

function message({ title, accountName, leads, more }: ChatLetter): JsonObject {
  const [only, second] = leads
  const words = second === undefined && more === null ? (only?.words ?? null) : null
  return {
    text: escaped(words === null ? title : `${title}: ${words}`),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      section(bold(title)),
      ...leads.flatMap(blocksOf),
      ...(more === null ? [] : [section(escaped(more))]),
      context(accountName),
    ],
  }
}

function blocksOf({ title, notes, rows, facts, command }: ChatLead): JsonObject[] {
  const values = rows.map(({ label, value }) => `${bold(label)}\n${quoted(value)}`)
  return [
    ...sections([...(title === null ? [] : [bold(title)]), ...notes.map(escaped), ...values]),
    context(`${facts}\n${command}`),
  ]
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
  elements: [{ type: 'mrkdwn', text: escaped(text), verbatim: true }],
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

const quoted = (value: string): string =>
  value
    .split('\n')
    .map((line) => `>${escaped(line)}`)
    .join('\n')

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
