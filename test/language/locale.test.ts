// How dates are written in each language (docs/languages.md).
import { expect, test } from 'bun:test'
import type { Language } from '../../src/language/language.ts'
import { type DayStyle, Locale } from '../../src/language/locale.ts'

const september1 = Date.UTC(2026, 8, 1) / 86_400_000

test.each<[Language, DayStyle, day: string, days: string]>([
  ['en', 'date', '1 September 2026', '1–9 September 2026'],
  ['fr', 'date', '1er septembre 2026', '1er–9 septembre 2026'],
  ['fr', 'dayOfMonth', '1er septembre', '1er–9 septembre'],
  ['it', 'date', '1 settembre 2026', '1–9 settembre 2026'],
  ['pt', 'short', '1/09', '1/09 – 9/09'],
])('in "%s", days in the style "%s" are written %s and %s', (language, style, day, days) => {
  const locale = new Locale(language)
  const written = [locale.day(september1, style), locale.days(september1, september1 + 8, style)]
  expect(written).toEqual([day, days])
})

test('a French range of two months counts both from their first day', () => {
  expect(new Locale('fr').days(september1, september1 + 30, 'date')).toBe('1er septembre – 1er octobre 2026')
})
