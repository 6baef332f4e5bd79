import type { RefusalNote } from '../../report/document/report-document.ts'
import type { FiguresReport } from '../../report/figures.ts'
import type { CountedCheck } from '../refusals/refusal-advice.ts'

/** One request that went wrong is an accident; from so many on it may be a page or a program to mend. */
const countMin = 5
const notesMax = 5

type Words = Omit<RefusalNote, 'count'>

const unreadable: Words = {
  what: 'Something sent data that could not be read',
  advice: 'It is most likely a program, not a visitor: if it is yours, have it corrected.',
}
const tooMuchAsked: Words = {
  what: 'One address sent a great deal in a short time',
  advice: 'Mostly that is a robot; if it was an office full of visitors, have the limit raised.',
}
const tooMuchDownloaded: Words = {
  what: 'Too much was downloaded at once',
  advice: 'Large files may be better kept elsewhere.',
}

/**
 * For the owner of a website, who runs no box; `null`: nothing that owner could do. Bots are told of by the quarantine.
 */
const wordsOf: Record<CountedCheck, Words | null> = {
  origin: {
    what: 'A website that is not on the list sent forms or events',
    advice: 'If it is yours, have it added to the allowed websites.',
  },
  tracking_key: {
    what: 'Events came without the right tracking key',
    advice: 'The script on the website needs the current key.',
  },
  form: {
    what: 'A page sent a form that does not exist here',
    advice: 'It names an old or misspelt form: have the form’s id on the page corrected.',
  },
  content_type: unreadable,
  body: unreadable,
  events: unreadable,
  size: {
    what: 'A form was longer than is accepted',
    advice: 'Have the limit raised, or ask for less text in the form.',
  },
  budget: tooMuchAsked,
  storage: {
    what: 'Something could not be stored',
    advice: 'Whoever runs the service should look at its disk.',
  },
  no_script: {
    what: 'A form was sent without its script',
    advice: 'See that the script is on the page and loads; a contact address helps visitors who have switched it off.',
  },
  downloads: tooMuchDownloaded,
  downloads_per_address: tooMuchDownloaded,
  requests_per_address: tooMuchAsked,
  honeypot: null,
  bot_check: null,
  consent: null,
  incomplete: null,
  destination: null,
}

/** Refused requests that the owner of a website should hear of, most first. */
export function refusalNotes(refusals: FiguresReport['refusals']): RefusalNote[] {
  const counts = new Map<Words, number>()
  for (const { endpoint, check, count } of refusals) {
    // A page beyond its budget was served, and a click led on: only the record was left out.
    const isHarmless = check === 'budget' && (endpoint === 'page' || endpoint === 'click')
    const words = isHarmless || !Object.hasOwn(wordsOf, check) ? null : wordsOf[check as CountedCheck]
    if (words !== null) counts.set(words, (counts.get(words) ?? 0) + count)
  }
  return Array.from(counts, ([words, count]) => ({ ...words, count }))
    .filter(({ count, what }) => count >= countMin || what === wordsOf.storage?.what)
    .sort((one, other) => other.count - one.count)
    .slice(0, notesMax)
}
