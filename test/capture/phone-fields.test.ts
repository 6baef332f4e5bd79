import { describe, expect, test } from 'bun:test'
import { isSamePhone, phoneNumbersIn } from '../../src/capture/phone-fields.ts'

test('phone numbers are found in fields that hold one, alone or in a list', () => {
  expect(
    phoneNumbersIn({
      phone: '01715556677',
      contact: ' 0171 555 66 77 ',
      tel: ['+49 171 5556677', 'in the evening', '030 5550123'],
      mobile: 1715556677,
      order: '01715556677',
      message: 'call 0171 5556677',
      phone_day: null,
    }),
  ).toEqual(['01715556677', '0171 555 66 77', '+49 171 5556677', '030 5550123', '1715556677'])
})

describe('a number with its country’s code or without', () => {
  test.each([
    ['0171 5556677', '+49 (0)171 555-66-77', true],
    ['0171/5556677', '0049171 5556677', true],
    ['1715556677', '0171 5556677', true],
    ['+43 171 5556677', '+49 171 5556677', false],
    ['0171 5556677', '0171 5556678', false],
    ['0171 5556677', '90171 5556677', false],
  ])('%s and %s', (one, other, isSame) => {
    expect([isSamePhone(one, other), isSamePhone(other, one)]).toEqual([isSame, isSame])
  })
})
