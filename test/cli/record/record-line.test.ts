import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { styleFor } from '../../../src/cli/output/style.ts'
import { recordLine } from '../../../src/cli/record/record-line.ts'
import { click, pageView, submission, trackedEvent } from '../../report/sample-entries.ts'

const coloured = styleFor({ isTerminal: true }, {})
const kinds = [
  submission(),
  submission({ status: 'refused', refusedFor: 'honeypot' }),
  trackedEvent(),
  pageView(),
  click(),
]

describe('a captured line', () => {
  test('says when, from which device, what, and what of it', () => {
    expect(recordLine(submission({ deviceId: 'device-abcdef' }))).toBe(
      '09:30:00  abcdef  submission  form contact1: ada@acme.example  message: Hello\n',
    )
  })

  test.each([
    ['refused', submission({ status: 'refused', refusedFor: 'honeypot' }), 'refused     honeypot, form contact1'],
    [
      'an event',
      trackedEvent({ properties: { plan: 'pro', url: 'https://a.example/', path: '/' } }),
      'event       signed up  plan: pro\n',
    ],
    [
      'an identity',
      trackedEvent({ event: '$identify', properties: {}, traits: { email: 'a@b.example' } }),
      '$identify  email: a@b.example\n',
    ],
    ['a page view', pageView({ attribution: { utm_source: 'mail' } }), 'page view   /launch  (utm_source: mail)\n'],
    ['of the test page', trackedEvent({ test: true }), '(test page)\n'],
  ])('is of its own kind: %s', (_what, entry, expected) => {
    expect(recordLine(entry)).toContain(expected)
  })

  test('stands under the one before, whatever its kind', () => {
    const columns = kinds.map((entry) =>
      recordLine(entry).search(/\S+ *$|form|signed|\/launch|human|suspected|machine|honeypot,/),
    )
    expect(new Set(columns).size).toBe(1)
  })

  test('has colour on a terminal only', () => {
    expect(recordLine(submission(), coloured)).toContain('\u001b[32msubmission')
    expect(recordLine(submission())).not.toContain('\u001b')
  })

  test('is one line, short enough to read, and steers no terminal, whatever a visitor sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), fc.string({ unit: 'binary' }), (text, name) => {
        const line = recordLine(submission({ email: text, fields: { [name]: text, nested: [{ [text]: name }] } }))
        expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u)
        expect(line).toEndWith('\n')
        expect(line.length).toBeLessThan(6 * 160 + 100)
      }),
    )
  })
})
