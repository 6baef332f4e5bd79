import { describe, expect, test } from 'bun:test'
import { texts as english } from '../../src/client/languages/en.ts'
import { type Language, languages, type VisitorTexts } from '../../src/client/languages/texts.ts'
import { languageFileNames } from '../../src/listener/listener-parts.ts'

const textsOf = async (language: Language): Promise<VisitorTexts> =>
  (await import(`../../src/client/languages/${language}.ts`)).texts

/** `{length}` and the like, in the order of the alphabet. */
const placeholders = (text: string): string[] => (text.match(/{\w+}/g) ?? []).sort()

test('every language of the script has its file', () => {
  expect([...languageFileNames].sort()).toEqual(languages.map((language) => `l/${language}.js` as const).sort())
})

describe.each([...languages])('the texts for visitors in "%s"', (language) => {
  test('are those of English, with the same gaps', async () => {
    const texts = await textsOf(language)
    const gaps = (all: VisitorTexts) => Object.entries(all).map(([name, text]) => [name, ...placeholders(text)])
    expect(gaps(texts).sort()).toEqual(gaps(english).sort())
  })

  test('are whole sentences, and no one else’s', async () => {
    const others = await Promise.all(languages.filter((other) => other !== language).map(textsOf))
    const foreign = new Set(others.flatMap((texts) => Object.values(texts)))
    const poor = Object.values(await textsOf(language)).filter(
      (text) => foreign.has(text) || !/^\p{Lu}.*[.]$/u.test(text),
    )
    expect(poor).toEqual([])
  })
})
