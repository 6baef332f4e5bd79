import { afterAll, describe, expect, test } from 'bun:test'
import { tables } from '../../../../src/storage/sqlite/schema/tables.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const database = new TemporaryDatabase()
const { raw } = database.connect()
afterAll(() => database[Symbol.asyncDispose]())

const namesOf = (query: string): string[] =>
  raw
    .query<{ name: string }, []>(query)
    .all()
    .map(({ name }) => name)

describe('the declared tables', () => {
  test('are those of the database', () => {
    const stored = namesOf(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    expect(tables.map(({ name }) => name).toSorted()).toEqual(
      stored.filter((name) => name !== '__drizzle_migrations').toSorted(),
    )
  })

  test('lie in the order of their key where that is said, and nowhere else', () => {
    const stored = namesOf(`SELECT name FROM sqlite_schema WHERE sql LIKE '%) WITHOUT ROWID'`)
    const declared = tables.filter(({ isWithoutRowId }) => isWithoutRowId).map(({ name }) => name)
    expect(declared.toSorted()).toEqual(stored.toSorted())
  })

  test('that are state have row numbers, by which increments send their rows', () => {
    expect(tables.filter((table) => table.is === 'state' && table.isWithoutRowId)).toEqual([])
  })

  test('have the columns by which their rows are found and cleared', () => {
    const missing = tables.flatMap(({ name, of, columns, perEntry = [], erasedText }) => {
      const owner = of === 'box' ? [] : [`${of}_row`]
      const named = [...owner, ...perEntry, ...(erasedText === undefined ? [] : [erasedText])]
      return named.filter((column) => !columns.includes(column)).map((column) => `${name}.${column}`)
    })
    expect(missing).toEqual([])
  })

  test('have text that is erased in no index', () => {
    const indexed = tables.filter(({ name, erasedText }) =>
      namesOf(`SELECT of.name FROM pragma_index_list('${name}') list, pragma_index_info(list.name) of`).includes(
        erasedText ?? '',
      ),
    )
    expect(indexed.map(({ name }) => name)).toEqual([])
  })
})
