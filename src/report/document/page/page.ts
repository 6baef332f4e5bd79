import { html, type Markup, trustedMarkup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { quarantineText } from '../notes.ts'
import type { ReportView } from '../report-view.ts'
import { chartsSection, daysTable } from './days.ts'
import { keyFiguresList } from './key-figures.ts'
import { messagesSection, rankedSection } from './lists.ts'
import { reportStyle } from './style.ts'

/** What the page may load and do: nothing, but for its own style sheet. */
export const reportPagePolicy = ({ colour }: Pick<ReportView, 'colour'>): string =>
  `default-src 'none'; style-src '${hashSource(reportStyle(colour))}'; base-uri 'none'; form-action 'none'`

/** The report as one file: it loads nothing, runs nothing, and its policy would stop what might be smuggled in. */
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
${view.isExample ? html`<p class="example">This is an example, sent to try where reports go to.</p>` : null}
<p class="summary">${view.summary}</p>
${view.notes.length === 0 ? null : html`<ul class="notes">${view.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
</header>
${keyFiguresList(view)}
${chartsSection(view)}
<div class="pair">${sources(view)}${pages(view)}</div>
<div class="pair">${forms(view)}${messagesSection(view) ?? refused(view)}</div>
${messagesSection(view) === null ? null : refused(view)}
${daysTable(view)}
<footer><p>Made on ${view.madeOn}. A visit is what one browser does until it is silent for half an hour; a visitor is a browser that keeps its cookie. A lead is a form that was sent and accepted, repeats left out. Conversion is leads for a hundred visits. Bots that say what they are do not count.</p></footer>
</main>
</body>
</html>
`.text
}

const hashSource = (text: string): string => `sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}`

const sources = ({ sources, headings }: ReportView): Markup =>
  rankedSection(
    sources,
    { title: 'Leads by source', name: 'Source', counted: 'Leads', empty: 'No lead came in.', one: 'source' },
    { headings },
  )

function pages({ pages, headings, viewsElsewhere }: ReportView): Markup {
  const elsewhere =
    viewsElsewhere === 0
      ? null
      : html`<p class="quiet">${plural(viewsElsewhere, 'other page view')}: of other websites with the script, or from before views were counted by page.</p>`
  const words = {
    title: 'Most viewed pages',
    name: 'Page',
    counted: 'Views',
    empty: 'No landing page was viewed.',
    one: 'page',
  }
  return rankedSection(pages, words, { headings, after: elsewhere })
}

function forms({ forms, headings, likelyDuplicates }: ReportView): Markup {
  const repeats =
    likelyDuplicates === 0
      ? null
      : html`<p class="quiet">${plural(likelyDuplicates, 'repeat')} of a lead ${likelyDuplicates === 1 ? 'is' : 'are'} not counted here.</p>`
  const words = { title: 'Leads by form', name: 'Form', counted: 'Leads', empty: 'No form was sent.', one: 'form' }
  return rankedSection(forms, words, { headings, after: repeats })
}

/** What did not get through, and what to do about it. */
function refused({ refusals, quarantined }: ReportView): Markup {
  const waiting = quarantineText(quarantined)
  if (refusals.length === 0 && waiting === null) {
    return html`<section><h2>What was kept out</h2><p class="quiet">Nothing that is worth a word.</p></section>`
  }
  return html`<section><h2>What was kept out</h2><ul class="plain">
${waiting === null ? null : html`<li><b>In quarantine.</b> ${waiting}</li>`}
${refusals.map(({ count: refused, what, advice }) => html`<li><b>${what}: ${count(refused)} times.</b> ${advice}</li>\n`)}</ul></section>`
}
