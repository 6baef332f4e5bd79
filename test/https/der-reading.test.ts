import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DerValue, derValueAt, derValuesIn, integer, octets, sequence, set, utf8 } from '../../src/https/der.ts'

const wholeOf = (values: DerValue[], bytes: Uint8Array): number[] =>
  values.flatMap(({ end, content }, at) => {
    const start = at === 0 ? 0 : (values[at - 1]?.end ?? 0)
    expect(content).toEqual(bytes.subarray(end - content.length, end))
    return [...bytes.subarray(start, end)]
  })

test('any bytes are values that follow each other without a gap, or nothing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const values = derValuesIn(bytes)
      if (values !== null) expect(wholeOf(values, bytes)).toEqual([...bytes])
    }),
  )
})

test('values that were written are read again, however long', () => {
  const tree = fc.letrec<{ node: Uint8Array }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.uint8Array({ minLength: 1, maxLength: 70_000 }).map(octets),
      fc.string().map(utf8),
      fc.uint8Array({ minLength: 1, maxLength: 20 }).map(integer),
      fc.array(tie('node'), { maxLength: 4 }).map((nodes) => sequence(...nodes)),
      fc.array(tie('node'), { maxLength: 4 }).map((nodes) => set(...nodes)),
    ),
  })).node
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), (written) => {
      const read = derValuesIn(new Uint8Array(Buffer.concat(written)))
      expect(read?.map(({ tag }) => tag)).toEqual(written.map((value) => value[0] ?? -1))
      expect(read?.map(({ content }) => content.length)).toEqual(
        written.map((value) => derValueAt(value, 0)?.content.length ?? -1),
      )
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['nothing', []],
  ['a tag without a length', [0x30]],
  ['a length that reaches beyond the end', [0x30, 0x02, 0x00]],
  ['a length of indefinite form', [0x30, 0x80, 0x00, 0x00]],
  ['a length of four bytes', [0x30, 0x84, 0, 0, 0, 0]],
  ['a tag of several bytes', [0x1f, 0x81, 0x01, 0x00]],
])('%s is no value', (_, bytes) => {
  expect(derValueAt(Uint8Array.from(bytes), 0)).toBeNull()
})
