// What visitors and customers read says the same in every language (docs/languages.md).
import { describe, expect, test } from 'bun:test'
import { type Language, textsOf } from '../../src/language/language.ts'
import { languages } from '../../src/language/languages.ts'

type Text = [path: string, text: string]

/** Every text below a value, with its path: `report.figures.visits`. */
const textsBelow = (value: unknown, path = ''): Text[] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, inner]) =>
        textsBelow(inner, path === '' ? name : `${path}.${name}`),
      )

/** `{length}` and the like, in the order of the alphabet. */
const gaps = (text: string): string[] => (text.match(/{\w+}/g) ?? []).sort()

const pluralForms = ['one', 'few', 'many', 'other']
const pluralOf = (path: string): string => path.slice(0, path.lastIndexOf('.'))
/** A device may be called `other`, too. */
const isPluralForm = (path: string): boolean =>
  pluralForms.includes(path.slice(path.lastIndexOf('.') + 1)) && !pluralOf(path).endsWith('.own')

const english = new Map(textsBelow(textsOf('en')))
/** A language may have more plural forms than English; all say what `other` says. */
const inEnglish = (path: string): string => english.get(path) ?? english.get(`${pluralOf(path)}.other`) ?? ''

/** Words that are the same as in English by right. */
const sameByRight: Record<Exclude<Language, 'en'>, string[]> = {
  de: ['[Test]', 'Browser', 'Code', 'Live', 'Medium', 'Passkey', 'Passkeys', 'Tablet'],
  // A description of each is at its place in English.
  fr: ['Page', 'Source', 'Message', '[Test]', 'direct', 'Code', 'Menu', 'Sessions'],
  es: ['no'],
  it: ['Browser', 'Menu', 'Passkey', 'Password', 'Tablet', 'no'],
  nl: [
    'Contact:',
    'Week {week}',
    '[Test]',
    'direct',
    'Direct',
    'Accounts',
    'Browser',
    'Code',
    'Help',
    'Live',
    'Medium',
    'Menu',
    'Passkey',
    'Passkeys',
    'Tablet',
  ],
  pt: ['Menu', 'Tablet'],
  pl: ['[Test]', 'Medium', 'Menu', 'Tablet'],
}

/** Romance languages have a form of their own for millions alone; the general one does there. */
const neededForms = (language: Language): string[] => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralCategories.filter((form) => form !== 'many' || language === 'pl')
}

describe.each(languages)('what is said in "%s"', (language) => {
  const texts = textsBelow(textsOf(language))

  test('has the gaps of English', () => {
    const other = texts.filter(([path, text]) => gaps(text).join() !== gaps(inEnglish(path)).join())
    expect(other).toEqual([])
  })

  test('has the plural forms of the language', () => {
    const plurals = Map.groupBy(
      texts.filter(([path]) => isPluralForm(path)),
      ([path]) => pluralOf(path),
    )
    expect(plurals.size).toBeGreaterThan(10)
    const needed = neededForms(language).sort()
    const poor = [...plurals].filter(
      ([, forms]) =>
        forms
          .map(([path]) => path.slice(path.lastIndexOf('.') + 1))
          .sort()
          .join() !== needed.join(),
    )
    expect(poor).toEqual([])
  })

  test('has no blank at its ends and no straight quotation marks', () => {
    expect(texts.filter(([, text]) => text.trim() !== text || text === '' || /["']/.test(text))).toEqual([])
  })
})

describe.each(languages.filter((language) => language !== 'en'))('no text in "%s"', (language) => {
  test('is left in English, but for words that are the same', () => {
    const worded = textsBelow(textsOf(language)).filter(([, text]) => /\p{L}/u.test(text.replace(/{\w+}/g, '')))
    const left = new Set(worded.filter(([path, text]) => text === inEnglish(path)).map(([, text]) => text))
    expect([...left].sort()).toEqual(sameByRight[language].sort())
  })
})

describe.each(languages)('the messages of the script in "%s"', (language) => {
  test('are whole sentences, and no other language’s', () => {
    const others = languages.filter((other) => other !== language).map((other) => textsOf(other).client)
    const foreign = new Set(others.flatMap((texts) => textsBelow(texts).map(([, text]) => text)))
    const poor = textsBelow(textsOf(language).client).filter(
      ([, text]) => foreign.has(text) || !/^\p{Lu}.*[.]$/u.test(text),
    )
    expect(poor).toEqual([])
  })
})

test('French has a no-break space inside guillemets and before double punctuation', () => {
  const poor = textsBelow(textsOf('fr')).filter(([, text]) => /[^\u00a0][:;?!»]|«[^\u00a0]/.test(text))
  expect(poor).toEqual([])
})
