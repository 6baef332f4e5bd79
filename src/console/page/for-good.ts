import { html, type Markup } from '../../lib/html.ts'
import { plural } from '../../lib/quantities.ts'

interface ForGood {
  /** What a removal of submissions takes beside them is their own. */
  counts: { submissions: number; events?: number; pageViews?: number; clicks?: number }
  /** What it means for figures; `null`: nothing. */
  uncounted: string | null
  /** What is not deleted. */
  stays: Markup | string
  /** Names of those that were sent some of it. */
  destinations: readonly string[]
  /** Where the form goes, and where nothing is removed. */
  to: string
  back: string
  act: 'Remove' | 'Erase'
  what: string
  instead: Markup | null
}

/** Before something is removed for good: what that takes, what stays and where, and the two ways on. */
export function forGoodPart({ counts, uncounted, stays, destinations, to, back, act, what, instead }: ForGood): Markup {
  const { submissions, events = 0, pageViews = 0, clicks = 0 } = counts
  const taken = [
    ...countsText([[submissions, 'submission']]).map((text) => `${text}, with states, notes and deliveries`),
    ...countsText([
      [pageViews, 'page view'],
      [events, 'event'],
      [clicks, 'click'],
    ]),
    ...(uncounted === null ? [] : [uncounted]),
  ]
  const kept = [stays, 'Copies in earlier backups and exports', ...copiesAt(destinations)]
  return html`<div class="columns">${listCard(`${act}d for good`, taken)}${listCard('Stays', kept)}</div>
<form method="post" action="${to}"><p class="do"><button class="danger">${act} ${what}</button>${instead} <a href="${back}">Cancel</a></p></form>`
}

export const listCard = (title: string, items: readonly (Markup | string)[]): Markup =>
  html`<section class="card"><h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`

/** Of what there is none of, nothing is said. */
export const countsText = (counts: readonly (readonly [number: number, name: string])[]): string[] =>
  counts.flatMap(([number, name]) => (number === 0 ? [] : [plural(number, name)]))

const allOf = new Intl.ListFormat('en-GB')

/** A delivery may have failed before it brought any. */
export const copiesAt = (destinations: readonly string[]): string[] =>
  destinations.length === 0 ? [] : [`${allOf.format(destinations)} may have a copy: delete it there too`]
