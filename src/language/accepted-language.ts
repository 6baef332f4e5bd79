import type { Language } from './language.ts'
import { languages } from './languages.ts'

const headerCharactersMax = 500

/** The language of ours that a visitor prefers, by `Accept-Language` (RFC 9110 section 12.5.4); English if it is none. */
export function acceptedLanguage({ headers }: Request): Language {
  const header = headers.get('accept-language')?.slice(0, headerCharactersMax) ?? ''
  let best: Language = 'en'
  let bestWeight = 0
  for (const range of header.toLowerCase().split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const language = languages.find((ours) => tag === ours || tag.startsWith(`${ours}-`))
    const weight = weightOf(parameters)
    if (language === undefined || weight <= bestWeight) continue
    best = language
    bestWeight = weight
  }
  return best
}

function weightOf(parameters: string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith('q='))
  if (stated === undefined) return 1
  const weight = Number(stated.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}
