import { expect, test } from 'bun:test'
import { accountNames } from '../../../src/operations/account/account-names.ts'

const listed = [
  { id: '1', handle: 'acme', name: 'Acme', changedAt: '1' },
  { id: '2', handle: 'bakery-north', name: 'Bakery', changedAt: '2' },
  { id: '3', handle: 'bakery-south', name: 'Bakery', changedAt: '3' },
]

test('accounts that share a name have their handles behind it', () => {
  const { nameById, nameOf } = accountNames(listed)
  expect(listed.map(({ id }) => nameById(id))).toEqual(['Acme', 'Bakery (bakery-north)', 'Bakery (bakery-south)'])
  expect(listed.map(({ handle }) => nameOf(handle))).toEqual(['Acme', 'Bakery (bakery-north)', 'Bakery (bakery-south)'])
})

test('an account that is gone is called by its handle, and unknown by its id', () => {
  const { handleById, nameById, nameOf } = accountNames(listed)
  expect([nameOf('former'), nameById('4'), handleById('4')]).toEqual(['former', null, null])
})
