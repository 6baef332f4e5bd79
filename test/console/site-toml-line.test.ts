// The line of site.toml at which a page opens the editor of the settings.
import { expect, test } from 'bun:test'
import { askedLine, settingsAt } from '../../src/console/page/site-toml-line.ts'

const siteToml = [
  'account = "acme"',
  'domains = [',
  '  "go.acme.test",',
  ']',
  '[[splits]]',
  'page = "launch"',
  '[[forms]]',
  'id = "contact1"',
  '[delivery]',
  'retries = 3',
].join('\n')

const opened = (href: string): number | null => askedLine(new URL(href, 'http://console.test'), siteToml)

test.each([
  ['a key', { key: 'account' }, 1],
  ['a list', { key: 'domains' }, 2],
  ['a split, by its page', { key: 'splits.launch' }, 5],
  ['a form, by its id', { key: 'forms.contact1' }, 7],
  ['a key within a table', { key: 'delivery.retries' }, 10],
  ['a key that is not there: above every table', { key: 'origins' }, 1],
  ['a key that its table lacks: the table', { key: 'delivery.kept' }, 9],
  ['what is new', 'end', 10],
] as const)('%s opens at its line', (_, at, line) => {
  expect(opened(settingsAt('acme', at))).toBe(line)
})

test.each([
  ['?line=4', 4],
  ['?line=-4', null],
  ['?line=nowhere', null],
  ['', null],
])('an address with "%s" asks for the line %p', (search, line) => {
  expect(opened(`/a/acme/settings${search}`)).toBe(line)
})
