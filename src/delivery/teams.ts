import type { JsonObject } from '../lib/json-value.ts'
import { type ChatLetter, type ChatSize, fitted } from './chat-letter.ts'
import type { Lead, LeadRow } from './lead.ts'

/** For the whole message, a limit of Workflows. */
const messageBytesMax = 28 * 1024
const sizes: readonly ChatSize[] = [
  { rows: 200, characters: 16_384, lines: 1000 },
  { rows: 60, characters: 2000, lines: 60 },
  { rows: 20, characters: 400, lines: 10 },
  { rows: 8, characters: 60, lines: 1 },
]

/**
 * The body for a Workflows address of Microsoft Teams: a message with one Adaptive Card. What was captured is in text
 * runs, in which Teams reads no Markdown.
 */
export const teamsMessage = (lead: Lead): JsonObject => fitted(lead, sizes, { make: message, fits })

const fits = (message: JsonObject): boolean => Buffer.byteLength(JSON.stringify(message)) <= messageBytesMax

const message = ({ title, accountName, notes, rows, facts, link }: ChatLetter): JsonObject =>
  teamsCard({
    fallbackText: title,
    msteams: { width: 'Full' },
    body: [
      text(title, { size: 'Large', weight: 'Bolder' }),
      text(accountName, { isSubtle: true }, 'None'),
      ...notes.map((note) => text(note, { color: 'Warning' })),
      ...rows.flatMap(rowBlocks),
      text(facts, { isSubtle: true, size: 'Small' }),
    ],
    ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: link.text, url: link.url }] }),
  })

/** A message with one Adaptive Card. */
export const teamsCard = (content: JsonObject): JsonObject => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        ...content,
      },
    },
  ],
})

const rowBlocks = ({ label, value }: LeadRow): JsonObject[] => [
  text(label, { isSubtle: true, size: 'Small' }),
  ...value.split('\n').map((line) => text(line === '' ? ' ' : line, {}, 'None')),
]

const text = (words: string, style: JsonObject, spacing = 'Default'): JsonObject => ({
  type: 'RichTextBlock',
  spacing,
  inlines: [{ type: 'TextRun', text: words, ...style }],
})
