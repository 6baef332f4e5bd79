import type { VisitorTexts } from './languages/texts.ts'
import type { Site } from './site.ts'

/**
 * Texts for visitors in the language of the script tag's `data-lang`, or else of the page; empty if not available. For
 * an unknown language, the box answers in English.
 */
export async function visitorTexts({ origin, data }: Site): Promise<Partial<VisitorTexts>> {
  const [language] = /[a-z]+/.exec((data.lang || document.documentElement.lang).toLowerCase()) ?? ['en']
  try {
    return (await import(`${origin}/_svc/l/${language}.js`)).texts
  } catch {
    return {}
  }
}
