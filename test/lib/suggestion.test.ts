import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { editDistance, nearest, Suggestions } from '../../src/lib/suggestion.ts'

describe('nearest', () => {
  const known = ['listen', 'public_url', 'form_per_ip', 'form_per_origin', 'level']

  test.each([
    ['listn', 'listen'],
    ['lisetn', 'listen'],
    ['publicUrl', 'public_url'],
    ['form-per-ip', 'form_per_ip'],
    ['FORM_PER_IP', 'form_per_ip'],
    ['levle', 'level'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, known)).toBe(meant)
  })

  test.each(['banana', 'x', ''])('makes no guess for %p', (word) => {
    expect(nearest(word, known)).toBeNull()
  })

  test('prefers the nearest of several', () => {
    expect(nearest('form_per_orign', known)).toBe('form_per_origin')
  })

  test('looks at the beginning of a very long word only', () => {
    expect(nearest('a'.repeat(100_000), ['a'.repeat(99_999)])).toBe('a'.repeat(99_999))
  })
})

describe('Suggestions', () => {
  test('are made for 200 different words, however often each is asked for', () => {
    const names = new Suggestions(['launch'])
    const words = Array.from({ length: 199 }, (_, at) => `missing-${at}`)
    for (const word of [...words, ...words]) expect(names.nearestTo(word)).toBeNull()
    expect(names.nearestTo('lanch')).toBe('launch')
    expect(names.nearestTo('launh')).toBeNull()
    expect(names.nearestTo('lanch')).toBe('launch')
  })

  test('look at the first 1,000 names', () => {
    const names = [...Array.from({ length: 999 }, (_, at) => `${at}`), 'launch', 'autumn']
    const suggestions = new Suggestions(names)
    expect([suggestions.nearestTo('lanch'), suggestions.nearestTo('autum')]).toEqual(['launch', null])
  })
})

describe('editDistance', () => {
  const words = fc.string({ maxLength: 12 })

  test('counts a swap of neighbours as one slip', () => {
    expect(editDistance('abcd', 'acbd')).toBe(1)
  })

  test('is zero for equal words alone, and the same both ways', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(editDistance(a, b) === 0).toBe(a === b)
        expect(editDistance(a, b)).toBe(editDistance(b, a))
      }),
    )
  })

  test('is exact as far as it is of interest, and above that beyond', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 }), words, fc.nat(6), (a, b, max) => {
        for (const other of [b, a.slice(1), a.toUpperCase(), [...a].reverse().join('')]) {
          const [exact, limited] = [editDistance(a, other), editDistance(a, other, max)]
          if (exact <= max) expect(limited).toBe(exact)
          else expect(limited).toBeGreaterThan(max)
        }
      }),
    )
  })

  test('lies between the difference of lengths and the longer length', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const distance = editDistance(a, b)
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})
