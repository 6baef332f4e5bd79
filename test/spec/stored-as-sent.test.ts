// Spec, "All other keys are stored as sent", for any JSON that a caller can think of.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'

const samples = 300
/** Below what an account takes, whatever the characters. */
const bodyCharactersMax = 2000

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite()])
}, boxStartMsMax)

afterAll(() => box.stop())

/** Numbers in every writing that JSON knows, most of which JavaScript would not write so. */
const numberText = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,24})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?$/)
const scalarText = fc.oneof(
  numberText,
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'false', 'null', '""'),
)
const keyText = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('__proto__', 'constructor', 'url', 'email', 'toJSON', '0', '10'),
  )
  .filter((key) => !['_hp', 'botcheck-response', 'consentTextId'].includes(key))
  .map((key) => JSON.stringify(key))

/** JSON as text, so that what comes back can be compared character by character. */
const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalarText,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(keyText, tie('value')), { selector: ([key]) => key, maxLength: 5 })
    .map((pairs) => `{${pairs.map(([key, value]) => `${key}:${value}`).join(',')}}`),
}))

const objects = fc.sample(
  object.filter((text) => text.length <= bodyCharactersMax),
  samples,
)

/** Object keys that look like array indexes come first in JavaScript, so order is not compared; digits are. */
const canonical = (text: string): string => JSON.stringify(sorted(JSON.parse(text, rawNumbers as never)))

function rawNumbers(_key: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === 'number' ? `number ${source}` : value
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, held]) => [key, sorted(held)])
}

test('a submission keeps every field, to the last digit', async () => {
  const ids: string[] = []
  for (const body of objects) ids.push(submissionIdOf(await box.send(formRequest({ body }))))
  const lines = await box.exportLines('acme', 'submissions')
  const byId = new Map(
    lines.map((line) => [JSON.parse(line).submissionId, line.slice(line.indexOf('"fields":') + 9, -1)]),
  )
  const differing = objects.filter((body, n) => canonical(byId.get(ids[n]) ?? 'null') !== canonical(body))
  expect(differing).toEqual([])
})

test('an event keeps its traits, to the last digit', async () => {
  for (const [n, traits] of objects.entries()) {
    await box.send(eventRequest({ body: `{"events":[{"event":"sample ${n}","traits":${traits}}]}` }))
  }
  const lines = await box.exportLines('acme', 'events')
  const byName = new Map(lines.map((line) => [JSON.parse(line).event, traitsText(line)]))
  const differing = objects.filter((traits, n) => canonical(byName.get(`sample ${n}`) ?? 'null') !== canonical(traits))
  expect(differing).toEqual([])
})

/** The traits' own text in an exported line, where `attribution` follows them. */
const traitsText = (line: string) => line.slice(line.indexOf('"traits":') + 9, line.lastIndexOf(',"attribution":'))
