import { html, type Markup } from '../../../lib/html.ts'
import { drawnColour, usualColour } from '../../../lib/readable-colour.ts'
import { light } from '../page/style.ts'
import type { ReportView } from '../report-view.ts'

/** Width of a picture, and of the space at its sides. */
export const pictureWidth = 1120
export const pictureMargin = 28

/** Whose figures of which time a picture shows, in which colour. */
export type PictureWords = Pick<ReportView, 'account' | 'title' | 'beforeInWords' | 'colour'>

interface Picture {
  title: string
  /** Behind the account's name and the period. */
  note: string | null
  /** The figures in words, for screen readers. */
  summary: string
  height: number
  /** What is drawn below the titles. */
  body: Markup
}

/** A separate SVG file for slides and documents, with its titles, on white, without style sheet. */
export function pictureFile({ title, note, summary, height, body }: Picture, words: PictureWords): string {
  const { text } = html`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" viewBox="0 0 ${pictureWidth} ${height}" width="${pictureWidth}" height="${height}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif" fill="${light.text}">
<title id="title">${words.account}: ${title}, ${words.title}</title>
<desc id="desc">${summary}</desc>
<rect width="${pictureWidth}" height="${height}" fill="${light.paper}"/>
<text x="${pictureMargin}" y="44" font-size="24" font-weight="600">${title}</text>
<text x="${pictureMargin}" y="70" font-size="16" fill="${light.muted}">${words.account}, ${words.title}${note}</text>
${body}
</svg>
`
  return text.replace(noXmlCharacter, '\uFFFD')
}

/** Characters that XML 1.0 (section 2.2) forbids even when escaped: one of them in a name, and no program opens the file. */
const noXmlCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The account's colour, as bars show it on the white of a picture. */
export const pictureAccent = ({ colour }: Pick<PictureWords, 'colour'>): string =>
  drawnColour(colour ?? usualColour, light.paper)
