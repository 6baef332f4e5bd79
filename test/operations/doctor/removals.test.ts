import { expect, test } from 'bun:test'
import { examineRemovals } from '../../../src/operations/doctor/records.ts'

const left = { handle: 'x1', name: 'Acme Studio', begunAt: 0 }
const resultOf = (isArrival: boolean) => examineRemovals({ unfinishedRemovals: () => [{ ...left, isArrival }] })[0]

test('an interrupted removal is to be finished', () => {
  expect(resultOf(false)).toMatchObject({
    found: expect.stringContaining('The removal of "Acme Studio"'),
    advice: expect.stringContaining('finish it: capture account remove x1 --yes'),
  })
})

test('an interrupted move is to be run again, and is called no removal', () => {
  expect(resultOf(true)).toMatchObject({
    found: expect.stringContaining('The move of "Acme Studio" to this box'),
    advice: expect.stringContaining('run it again with the same file'),
  })
})
