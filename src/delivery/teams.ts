import type { JsonObject } from '../lib/json-value.ts'
import { type ChatLead, type ChatLetter, type ChatSize, fitted } from './chat-letter.ts'
import type { Lead } from './lead.ts'

/** For the whole message, a limit of Workflows. */
const messageBytesMax = 28 * 1024
const sizes: readonly ChatSize[] = [
  { leads: 10, rows: 20, characters: 2000, lines: 60 },
  { leads: 10, rows: 20, characters: 400, lines: 10 },
  { leads: 8, rows: 10, characters: 100, lines: 2 },
  { leads: 4, rows: 6, characters: 60, lines: 1 },
]

/**
 * The body for a Workflows address of Microsoft Teams: a message with one Adaptive Card. What was captured is in text
 * runs, in which Teams reads no Markdown.
 */
export const teamsMessage = (leads: readonly Lead[]): JsonObject => fitted(leads, sizes, { make: message, fits })

const fits = (message: JsonObject): boolean => Buffer.byteLength(JSON.stringify(message)) <= messageBytesMax

function message({ title, accountName, leads, more }: ChatLetter): JsonObject {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: title,
          msteams: { width: 'Full' },
          body: [
            text(title, { size: 'Large', weight: 'Bolder' }),
            text(accountName, { isSubtle: true }, 'None'),
            ...leads.flatMap(leadBlocks),
            ...(more === null ? [] : [text(more, {})]),
          ],
        },
      },
    ],
  }
}

function leadBlocks({ title, notes, rows, facts, command }: ChatLead, index: number): JsonObject[] {
  const head = title === null ? [] : [{ ...text(title, { weight: 'Bolder' }), separator: index > 0 }]
  return [
    ...head,
    ...notes.map((note) => text(note, { color: 'Warning' })),
    ...rows.flatMap(({ label, value }) => [
      text(label, { isSubtle: true, size: 'Small' }),
      ...value.split('\n').map((line) => text(line === '' ? ' ' : line, {}, 'None')),
    ]),
    text(facts, { isSubtle: true, size: 'Small' }),
    text(command, { isSubtle: true, size: 'Small', fontType: 'Monospace' }, 'None'),
  ]
}

const text = (words: string, style: JsonObject, spacing = 'Default'): JsonObject => ({
  type: 'RichTextBlock',
  spacing,
  inlines: [{ type: 'TextRun', text: words, ...style }],
})
