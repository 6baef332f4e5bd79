import type { Site } from '../site.ts'
import { texts as english } from './en.ts'
import { type Language, languages, type VisitorTexts } from './texts.ts'

/**
 * What to say to the visitor at this place of the page. The first call for a language begins to load it; until it is
 * there, and where it cannot be had, the texts are English.
 */
export type VisitorTextsAt = (place: Element) => VisitorTexts

/** The texts in the language of the script tag's `data-lang`; without it, in the language of the page (`lang`). */
export function visitorTexts(site: Site): VisitorTextsAt {
  const known: Record<string, VisitorTexts> = { en: english }

  const load = site.guarded(async (language: string) => {
    known[language] = english
    const { texts } = await site.load<{ texts: VisitorTexts }>(`l/${language}.js`)
    known[language] = texts
  })

  return (place) => {
    const language = languageAt(place, site.data.lang)
    if (!known[language]) load(language)
    return known[language] ?? english
  }
}

/** One that we speak: `de` for `de-AT`. */
function languageAt(place: Element, wanted: string | undefined): Language | 'en' {
  const tag = wanted ?? (place.closest<HTMLElement>('[lang]') ?? document.documentElement).lang
  const [language] = tag.toLowerCase().split('-')
  return languages.find((spoken) => spoken === language) ?? 'en'
}
