import { describe, expect, test } from 'bun:test'
import { fileMediaType, imageMediaType } from '../../src/asset/media-type.ts'

describe('media types', () => {
  test.each([
    ['brand/hero.png', 'image/png'],
    ['HERO.JPG', 'image/jpeg'],
    ['a.b.svg', 'image/svg+xml'],
  ])('an image %s is %s', (name, type) => {
    expect(imageMediaType(name)).toBe(type)
  })

  test.each(['a.html', 'png', '.png', 'a.png/b', 'a.', 'a.tif', 'a.__proto__', 'a.constructor'])(
    '%s is no image',
    (name) => {
      expect(imageMediaType(name)).toBeNull()
    },
  )

  test('a file of a known type has it', () => {
    expect(fileMediaType('brochure.PDF')).toBe('application/pdf')
  })

  test.each(['a.html', 'a.svg', 'a.js', 'a.xml', 'a.unknown', 'README'])(
    'a file %s is bytes, nothing that a browser would run',
    (name) => {
      expect(fileMediaType(name)).toBe('application/octet-stream')
    },
  )
})
