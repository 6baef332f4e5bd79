import { html, trustedMarkup } from '../../../lib/html.ts'
import type { ReportView } from '../report-view.ts'
import { reportBody, wordsOfReport } from './body.ts'
import { reportStyle } from './style.ts'

/** The page may load and run nothing except its own style sheet. */
export const reportPagePolicy = ({ colour }: Pick<ReportView, 'colour'>): string =>
  `default-src 'none'; style-src '${hashSource(reportStyle(colour))}'; base-uri 'none'; form-action 'none'`

/** The report as one file. It loads nothing and runs nothing, and its policy blocks injected content. */
export function reportPage(view: ReportView): string {
  const style = reportStyle(view.colour)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(reportPagePolicy(view))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${view.account}: ${view.title}</title>
<style>${trustedMarkup(style)}</style>
</head>
<body>
<main>
<header>
<p class="account"><bdi>${view.account}</bdi></p>
<h1>${view.title}</h1>
<p class="dates">${view.dates}</p>
${view.isExample ? html`<p class="example">This is an example, sent to test this destination.</p>` : null}
<p class="summary">${view.summary}</p>
${view.notes.length === 0 ? null : html`<ul class="notes">${view.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
</header>
${reportBody(view)}
<footer><p>Made on ${view.madeOn}. ${wordsOfReport}</p></footer>
</main>
</body>
</html>
`.text
}

const hashSource = (text: string): string => `sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}`
