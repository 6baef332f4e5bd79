import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { notice } from '../../look/notice.ts'

interface ForGood {
  submissions: number
  /** Page views, events and clicks. */
  recorded: number
  /** What else goes; absent: nothing. */
  more?: string
  whose: 'its' | 'their'
  /** What is not deleted. */
  stays?: Markup
  /** Names of those that were sent some of it. */
  destinations: readonly string[]
  /** Where the form goes, and where nothing is deleted. */
  to: string
  back: string
  words: { act: string; keep: string }
}

/** Before something is deleted for good: what that takes, where copies stay, and the two ways on. */
export function forGoodPart({
  submissions,
  recorded,
  more,
  whose,
  stays,
  destinations,
  to,
  back,
  words,
}: ForGood): Markup {
  const taken = [
    `${plural(submissions, 'submission')}, with states, notes and deliveries`,
    recorded === 0 ? undefined : plural(recorded, 'page view, event or click', 'page views, events and clicks'),
    more,
    `${whose} part in every figure`,
  ].filter((each) => each !== undefined)
  const received =
    destinations.length === 0
      ? '.'
      : html`, and at the destinations that may have received one: <strong>${destinations.join(', ')}</strong>. Delete them there too.`
  return html`<p>To be deleted for good:</p>
<ul>${taken.map((each) => html`<li>${each}</li>`)}</ul>
${stays === undefined ? null : html`<p>${stays}</p>`}
${notice('doubtful', html`<p>Copies stay in earlier backups and exports${received}</p>`)}
<form method="post" action="${to}"><p class="do"><button class="danger">${words.act}</button> <a href="${back}">${words.keep}</a></p></form>`
}
