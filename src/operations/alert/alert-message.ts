import { capturedLine, cutText } from '../../delivery/lead.ts'
import type { Mail } from '../../delivery/mail/mail.ts'
import { mailDocument, mailStyles as style } from '../../delivery/mail/mail-document.ts'
import { teamsCard } from '../../delivery/teams.ts'
import { html } from '../../lib/html.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import type { MailAddress } from '../../lib/mail-address.ts'
import { plural } from '../../lib/quantities.ts'
import type { CheckResult } from '../check-result.ts'
import type { AlertNews } from './alert-news.ts'

/** A message to whoever runs the box. */
export interface AlertMessage {
  title: string
  parts: readonly { heading: string; lines: readonly AlertLine[] }[]
  /** The console's first page; `null`: the console has no host of its own. */
  link: string | null
  /** Tells it from another message of the same words, epoch milliseconds. */
  at: number
}

interface AlertLine {
  text: string
  advice: string | null
}

const titleCharactersMax = 150
const lineCharactersMax = 600
const linesMax = 50

/** Which box speaks. */
interface Speaker {
  /** By a name that tells it from others. */
  box: string
  link: string | null
}

export function alertMessage({ begun, ended }: AlertNews, { box, link }: Speaker, at: number): AlertMessage {
  const [first] = begun
  const counts = [
    begun.length === 0 ? null : plural(begun.length, 'new problem'),
    ended.length === 0 ? null : `${ended.length} over`,
  ].filter((words) => words !== null)
  const title = begun.length === 1 && ended.length === 0 && first !== undefined ? first.found : counts.join(', ')
  return {
    title: capturedLine(`${box}: ${title}`, titleCharactersMax),
    parts: [
      { heading: 'Needs attention', lines: shown(begun.map(lineOf)) },
      {
        heading: 'Over',
        lines: shown(ended.map((text) => ({ text: capturedLine(text, lineCharactersMax), advice: null }))),
      },
    ].filter(({ lines }) => lines.length > 0),
    link,
    at,
  }
}

export const testMessage = ({ box, link }: Speaker, at: number): AlertMessage => ({
  title: `${box}: a test alert`,
  parts: [
    {
      heading: 'Test',
      lines: [{ text: 'This is a test, sent by `capture alert test`. Nothing is wrong.', advice: null }],
    },
  ],
  link,
  at,
})

const lineOf = ({ found, advice }: CheckResult): AlertLine => ({
  text: capturedLine(found, lineCharactersMax),
  advice: advice === null ? null : capturedLine(advice, lineCharactersMax),
})

const shown = (lines: AlertLine[]): AlertLine[] =>
  lines.length <= linesMax
    ? lines
    : [...lines.slice(0, linesMax), { text: `… and ${lines.length - linesMax} more.`, advice: null }]

/** The message as plain text, which chats show as well. */
function bodyText({ parts, link }: AlertMessage): string {
  const blocks = parts.map(({ heading, lines }) =>
    [heading, ...lines.flatMap(({ text, advice }) => [`• ${text}`, ...(advice === null ? [] : [`  ${advice}`])])].join(
      '\n',
    ),
  )
  return [...blocks, ...(link === null ? [] : [link])].join('\n\n')
}

interface AlertEnvelope {
  from: MailAddress
  to: readonly string[]
  /** Unique to the message, and the same for a repeat of it. */
  id: string
}

export function alertMail(message: AlertMessage, { from, to, id }: AlertEnvelope): Mail {
  const { title, parts, link } = message
  return {
    from: { name: from.name ?? 'Capture', address: from.address },
    to: to.map((address) => ({ name: null, address })),
    replyTo: null,
    subject: title,
    text: `${title}\n\n${bodyText(message)}\n`,
    html: mailDocument({
      language: 'en',
      title,
      preview: parts[0]?.lines[0]?.text ?? title,
      kicker: 'Capture',
      colour: null,
      cards: parts.map(
        ({ heading, lines }) =>
          html`<h2 class="ink" style="${style.cardTitle}">${heading}</h2>${lines.map(
            ({ text, advice }) =>
              html`<p class="ink" style="${advice === null ? style.value : style.label}">${text}</p>${advice === null ? null : html`<p class="muted" style="${style.note}">${advice}</p>`}`,
          )}`,
      ),
      footer: html`${link === null ? null : html`<p class="muted" style="${style.note}"><a class="muted" href="${link}" style="${style.link}">${link}</a></p>`}<p class="muted" style="${style.small}">Sent because [alerts] of capture.toml names this address.</p>`,
    }),
    messageId: `<alert.${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: [],
  }
}

const discordCharactersMax = 2000

/** What the host of `url` understands. Slack, Mattermost, Rocket.Chat and Google Chat take `text`. */
export function alertPost(message: AlertMessage, { hostname }: URL): JsonObject {
  const text = `${message.title}\n\n${bodyText(message)}`
  if (/(^|\.)discord(app)?\.com$/.test(hostname))
    return { content: cutText(text, discordCharactersMax), allowed_mentions: { parse: [] } }
  if (/(^|\.)(logic\.azure\.com|powerplatform\.com|office\.com)$/.test(hostname))
    return teamsCard({ body: [{ type: 'RichTextBlock', inlines: text.split('\n').map(textRun) }] })
  return { text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') }
}

const textRun = (line: string): JsonObject => ({ type: 'TextRun', text: `${line}\n` })
