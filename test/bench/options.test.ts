import { expect, test } from 'bun:test'
import { readOptions, sectionNames } from '../../bench/options.ts'

test('a run without options measures every section', () => {
  expect(readOptions([])?.sections).toEqual([...sectionNames])
})

test('--only picks sections', () => {
  expect(readOptions(['--only', 'form, page'])?.sections).toEqual(['form', 'page'])
})

test('--only with an unknown section is refused by its name', () => {
  expect(() => readOptions(['--only', 'form,pages'])).toThrow('"pages" is none of')
})

test('--quick is shorter, and --seconds still wins', () => {
  const options = readOptions(['--quick', '--seconds', '7'])
  expect(options).toMatchObject({ roundSeconds: 7, rounds: 3, growthEvents: 200_000 })
})

test('a count that is no whole number is refused', () => {
  expect(() => readOptions(['--rounds', '0'])).toThrow('--rounds')
})

test('--native names a folder, from wherever the bench works', () => {
  expect(readOptions(['--native', 'limit'])?.native).toBe(`${process.cwd()}/limit`)
  expect(readOptions([])?.native).toBeNull()
})

test('--help asks for the usage', () => {
  expect(readOptions(['--help'])).toBeNull()
})
