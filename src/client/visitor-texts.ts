import type { VisitorTexts } from './languages/texts.ts'
import type { Site } from './site.ts'

/**
 * What to say to visitors in the language of the script tag's `data-lang`, else of the page; empty where it cannot be
 * had. The box answers in English for a language that it does not speak.
 */
export async function visitorTexts({ origin, data }: Site): Promise<Partial<VisitorTexts>> {
  const [language] = /[a-z]+/.exec((data.lang || document.documentElement.lang).toLowerCase()) ?? ['en']
  try {
    return (await import(`${origin}/_svc/l/${language}.js`)).texts
  } catch {
    return {}
  }
}
