import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanUrl } from '../../../src/capture/url/clean-url.ts'
import { UrlCleaner } from '../../../src/capture/url/url-cleaner.ts'

/** Addresses with all that cleaning looks at, from a small store, so that they come again. */
const address = fc
  .tuple(
    fc.constantFrom('https://www.acme.example/', 'http://acme.example/p/', 'https://acme.example/+49 30 123456/', 'no'),
    fc.array(
      fc.tuple(
        fc.constantFrom('utm_source', 'UTM_Source', 'gclid', 'email', 'item', 'first%4eame', 'utm_email', ''),
        fc.constantFrom('news', 'a@mail.example', '5551234567', '555 123 4567', '4111111111111111', 'a%2540b.example'),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([base, pairs]) => `${base}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`)

describe('a cleaner with a memory', () => {
  test('says of every address what cleaning it anew would say, however often it comes', () => {
    fc.assert(
      fc.property(fc.array(address, { minLength: 1, maxLength: 40 }), (addresses) => {
        const urls = new UrlCleaner()
        for (const raw of addresses) {
          expect(urls.clean(raw)).toEqual(cleanUrl(raw))
          expect(urls.cleanRecurring(raw)).toEqual(cleanUrl(raw))
          expect(urls.cleanRecurring(raw)).toEqual(cleanUrl(raw))
        }
      }),
    )
  })
})
