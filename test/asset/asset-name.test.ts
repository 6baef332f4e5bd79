import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeAssetPath, encodeAssetPath, isPathSegment, isSlug } from '../../src/asset/asset-name.ts'

describe('isSlug', () => {
  test.each(['a', 'Launch-2026', '0.x_y', 'a'.repeat(100)])('accepts %p', (slug) => {
    expect(isSlug(slug)).toBe(true)
  })

  test.each(['', '-a', '.a', '_a', 'a b', 'a/b', 'é', 'a\n', 'a'.repeat(101)])('refuses %p', (slug) => {
    expect(isSlug(slug)).toBe(false)
  })
})

describe('isPathSegment', () => {
  test.each(['hero.png', 'Our brochure (final), v2.pdf', 'größe.png', '東京.jpg', "it's.png", 'a'])(
    'accepts %p',
    (segment) => {
      expect(isPathSegment(segment)).toBe(true)
    },
  )

  test.each([
    '',
    '.',
    '..',
    '.a',
    ' a',
    'a ',
    'a.',
    'a/b',
    'a\\b',
    'a%20b',
    'a?b',
    'a#b',
    'a:b',
    'a"b',
    'a<b',
    'a\nb',
    'a\u0000b',
    'a\u202Eb',
    'a\u200Bb',
    '\uFFFD',
  ])('refuses %j', (segment) => {
    expect(isPathSegment(segment)).toBe(false)
  })
})

describe('paths in URLs', () => {
  test('are percent-encoded segment by segment', () => {
    expect(encodeAssetPath('our brand/größe & co.png')).toBe('our%20brand/gr%C3%B6%C3%9Fe%20%26%20co.png')
  })

  test('mean the composed form of a name', () => {
    expect(decodeAssetPath('cafe%CC%81.png')).toBe('café.png')
  })

  test.each([
    '',
    '/a',
    'a/',
    'a//b',
    '../a',
    '%2e%2e/a',
    'a%2Fb',
    'a%00',
    '%zz',
    '%ff',
    'a%5Cb',
    `${'a/'.repeat(300)}a`,
  ])('of %p mean nothing', (path) => {
    expect(decodeAssetPath(path)).toBeNull()
  })

  test('decode to what was encoded, for every name that is possible', () => {
    const segment = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => text.normalize('NFC'))
    const name = fc.array(segment.filter(isPathSegment), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    fc.assert(fc.property(name, (name) => expect(decodeAssetPath(encodeAssetPath(name))).toBe(name)))
  })
})
