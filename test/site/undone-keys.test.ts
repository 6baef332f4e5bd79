// Whether an apply undoes what was changed on the box, key by key.
import { expect, test } from 'bun:test'
import { isUndone } from '../../src/site/publication-log.ts'

const isUndoneBy = (changed: string, key: string): boolean =>
  isUndone(
    { subject: 'site.toml', at: 0, by: { via: 'console', name: 'jo' }, keys: [changed] },
    { subjects: new Set(['site.toml']), keys: [key] },
  )

test.each([
  ['an updated delivery that goes', 'delivery crm: url', 'delivery crm', true],
  ['a new delivery that is updated', 'delivery crm', 'delivery crm: url', true],
  ['a new delivery that goes', 'delivery crm', 'delivery crm', true],
  ['another key of the same delivery', 'delivery crm: url', 'delivery crm: forms', false],
  ['a delivery whose name begins alike', 'delivery crm', 'delivery crm-two: url', false],
])('%s', (_, changed, key, expected) => {
  expect(isUndoneBy(changed, key)).toBe(expected)
})
