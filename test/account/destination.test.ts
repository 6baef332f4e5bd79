import { expect, test } from 'bun:test'
import { type FieldCondition, type MailDestination, receivesSubmission } from '../../src/account/destination.ts'
import type { JsonObject } from '../../src/lib/json-value.ts'

const sales: MailDestination = { kind: 'mail', name: 'sales', to: [], forms: null, when: null, confirmed: false }

const receives = (when: FieldCondition, fields: JsonObject): boolean =>
  receivesSubmission({ ...sales, when }, { formId: 'contact1', fields }, false)

const is = (...values: string[]): FieldCondition => ({ field: 'interest', is: values, isNot: null })
const isNot = (...values: string[]): FieldCondition => ({ field: 'interest', is: null, isNot: values })

test.each<[string, FieldCondition, JsonObject, boolean]>([
  ['one of the values', is('kitchen', 'bath'), { interest: 'bath' }, true],
  ['another value', is('kitchen', 'bath'), { interest: 'garden' }, false],
  ['the value in another case', is('kitchen'), { interest: 'Kitchen' }, false],
  ['a list with one of them', is('kitchen'), { interest: ['garden', 'kitchen'] }, true],
  ['a list without any', is('kitchen'), { interest: ['garden'] }, false],
  ['no such field', is('kitchen'), {}, false],
  ['a field of the prototype', { field: 'constructor', is: ['x'], isNot: null }, {}, false],
  ['a number', is('3'), { interest: 3 }, true],
  ['a tick', is('true'), { interest: true }, true],
  ['not the value', isNot('kitchen'), { interest: 'bath' }, true],
  ['the unwanted value', isNot('kitchen'), { interest: 'kitchen' }, false],
  ['a list with the unwanted one', isNot('kitchen'), { interest: ['bath', 'kitchen'] }, false],
  ['nothing, where one value is unwanted', isNot('kitchen'), {}, true],
])('a condition on a field, and a submission with %s', (_, when, fields, expected) => {
  expect(receives(when, fields)).toBe(expected)
})
