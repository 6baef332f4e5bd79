// docs/security.md: the table by chapter counts what the list of exceptions names.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const text = await Bun.file(join(import.meta.dir, '../../docs/security.md')).text()

const chapters = [...text.matchAll(/^\| V(\d+) [^|]+\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map((row) => {
  const [chapter = 0, holds = 0, inPart = 0, no = 0, notApplicable = 0] = row.slice(1).map(Number)
  return { chapter, holds, inPart, no, notApplicable }
})
const exceptions = [...text.matchAll(/^\| (\d+)\.(\d+)\.(\d+) \| (in part|no) \| (.+) \|$/gm)].map(
  ([, chapter, section, number, kind, why]) => ({ id: [chapter, section, number].map(Number), kind, why }),
)

test('the table of ASVS has the 17 chapters, and their sums', () => {
  expect(chapters.map(({ chapter }) => chapter)).toEqual(Array.from({ length: 17 }, (_, at) => at + 1))
  const sum = (count: (row: (typeof chapters)[number]) => number) => chapters.reduce((all, row) => all + count(row), 0)
  const sums = [
    sum((row) => row.holds),
    sum((row) => row.inPart),
    sum((row) => row.no),
    sum((row) => row.notApplicable),
  ]
  const all = sums.reduce((one, other) => one + other, 0)
  // Requirements of levels 1 and 2 in ASVS 5.0.0.
  expect(all).toBe(253)
  expect(text).toContain(`| **All ${all}** | ${sums.map((count) => `**${count}**`).join(' | ')} |`)
})

test('each requirement that does not hold in full is named once, in order', () => {
  const numbers = exceptions.map(
    ({ id: [chapter = 0, section = 0, number = 0] }) => chapter * 10_000 + section * 100 + number,
  )
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
})

test('each chapter counts what is named of it', () => {
  const named = (chapter: number, kind: string) =>
    exceptions.filter((one) => one.id[0] === chapter && one.kind === kind).length
  expect(chapters.map(({ chapter, inPart, no }) => [chapter, inPart, no])).toEqual(
    chapters.map(({ chapter }) => [chapter, named(chapter, 'in part'), named(chapter, 'no')]),
  )
})
