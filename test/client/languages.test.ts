import { describe, expect, test } from 'bun:test'
import { type Language, languages, type VisitorTexts } from '../../src/client/languages/texts.ts'
import { languageFileNames } from '../../src/listener/listener-parts.ts'

const names = Object.keys(languages) as Language[]

/** `{length}` and the like, in the order of the alphabet. */
const placeholders = (text: string): string[] => (text.match(/{\w+}/g) ?? []).sort()

test('every language of the script has its file', () => {
  expect([...languageFileNames].sort()).toEqual(names.map((language) => `l/${language}.js` as const).sort())
})

describe.each(names)('the texts for visitors in "%s"', (language) => {
  const texts = languages[language]

  test('are those of English, with the same gaps', () => {
    const gaps = (all: VisitorTexts) => Object.entries(all).map(([name, text]) => [name, ...placeholders(text)])
    expect(gaps(texts).sort()).toEqual(gaps(languages.en).sort())
  })

  test('are whole sentences, and no one else’s', () => {
    const others = names.filter((other) => other !== language).map((other) => languages[other])
    const foreign = new Set(others.flatMap((texts) => Object.values(texts)))
    const poor = Object.values(texts).filter((text) => foreign.has(text) || !/^\p{Lu}.*[.]$/u.test(text))
    expect(poor).toEqual([])
  })
})
