import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { faultReason } from '../../../../src/storage/sqlite/processing/fault-reason.ts'

test('names the error and where in our sources it came up', () => {
  const error = new TypeError('null is not an object')
  error.stack = `TypeError: ${error.message}
    at parse (unknown)
    at noteTouch (/home/ada/my work/src/processing/attribution/note-touch.ts:12:3)
    at processEntry (/home/ada/my work/src/processing/process-entry.ts:30:3)`
  expect(faultReason(error)).toBe('TypeError in noteTouch (processing/attribution/note-touch.ts:12)')
})

test('names a place inside the executable too', () => {
  const error = new RangeError('too much')
  error.stack = 'RangeError: too much\n    at src/processing/receipt.ts:7:1'
  expect(faultReason(error)).toBe('RangeError in a function (processing/receipt.ts:7)')
})

test('takes nothing out of a message, even one that looks like a place', () => {
  const error = new Error('x\n    at ada (/src/of-ada.ts:1:1)')
  error.stack = `Error: ${error.message}\n    at other (/src/processing/other.ts:1:1)`
  expect(faultReason(error)).toBe('Error in other (processing/other.ts:1)')
})

test('names the error alone when nothing tells the place', () => {
  const error = new Error('ada@acme.example')
  error.stack = 'gone'
  expect(faultReason(error)).toBe('Error')
})

test('whatever a message says, no word of it is kept', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (words) => {
      const reasons = [faultReason(new Error(words)), faultReason(words)]
      expect(reasons.every((reason) => /^(?:Error|a thrown value that is not an error)$/.test(reason))).toBe(true)
    }),
  )
})
