// docs/privacy.md: records that name the address anywhere in them, where the address holds letters outside ASCII.
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { identityEmail } from '../../../../src/ledger/identity-email.ts'
import { AddressSpellings } from '../../../../src/storage/sqlite/forgetting/address-spellings.ts'
import { DatabaseFile } from '../../../../src/storage/sqlite/forgetting/database-file.ts'
import { hasLeftovers } from '../../../../src/storage/sqlite/forgetting/residue.ts'
import { submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

const typed = 'ünï@münchen.de'
const uni = identityEmail(typed) ?? ''
const ben = 'ben@customer.example'

const spellings = [
  typed,
  uni,
  typed.toUpperCase(),
  'Ünï@München.de',
  typed.normalize('NFD'),
  typed.toUpperCase().normalize('NFD'),
  `ünï@${'münchen'.normalize('NFD')}.DE`,
  encodeURIComponent(typed),
  encodeURIComponent(typed.toUpperCase()),
  encodeURIComponent(encodeURIComponent(typed.normalize('NFD'))),
].map((text) => [text] as const)

/** Of everybody an address whose letters are written in more than one way. */
const otherScripts = [
  ['οδοσ@παράδειγμα.ελ', 'mailto:ΟΔΟΣ@ΠΑΡΆΔΕΙΓΜΑ.ΕΛ'],
  ['ali̇@customer.example', 'ALİ@CUSTOMER.EXAMPLE'],
  ['用户@例え.jp', '用户@例え.JP'],
  ['ada@münchen.de', 'ADA@MÜNCHEN.DE'],
] as const

const longer = [
  `x${typed}`,
  `e\u0301${typed}`,
  `x\u0302${typed}`,
  `${typed}.example`,
  encodeURIComponent(`x${typed.toUpperCase()}`),
  'unï@münchen.de',
  'naïve@m, ünchen.de',
].map((text) => [text] as const)

const event = (text: string) => trackedEvent({ id: 'event-1', deviceId: 'device-7', properties: { text } })

describe('an erasure finds the address', () => {
  test.each(spellings)('in another person’s message, and lists that: %s', async (text) => {
    await using box = new AForgettingBox()
    box.capture(
      submission({ id: 'uni-1', email: uni, fields: { email: typed } }),
      submission({ id: 'ben-1', deviceId: null, email: ben, fields: { email: ben, m: `please write ${text}.` } }),
    )
    const found = { submissions: 1, mentionedIn: ['ben-1'], mentions: 1, verified: true }
    expect(await box.erase(uni)).toMatchObject(found)
    expect(box.ids()).toEqual(['ben-1'])
  })

  test.each(spellings)('in a record that is nobody else’s, and takes that: %s', async (text) => {
    await using box = new AForgettingBox()
    box.capture(event(`Please write\n${text}`))
    expect(await box.erase(uni)).toMatchObject({ events: 1, mentions: 0, verified: true })
    expect(box.ids()).toEqual([])
  })

  test.each(otherScripts)('in other scripts: %s', async (email, text) => {
    await using box = new AForgettingBox()
    box.capture(event(text))
    expect(await box.erase(identityEmail(email) ?? '')).toMatchObject({ events: 1 })
  })

  test.each(longer)('in no longer or other one: %s', async (text) => {
    await using box = new AForgettingBox()
    box.capture(event(text))
    expect(await box.erase(uni)).toMatchObject({ events: 0, mentions: 0 })
    expect(box.ids()).toEqual(['event-1'])
  })
})

/** A database in whose only page the text was deleted, or not, without a zero written over it. */
function fileWith({ dir }: TemporaryDatabase, text: string, { isDeleted }: { isDeleted: boolean }): DatabaseFile {
  const path = join(dir, 'free.db')
  using database = new Database(path)
  database.run('PRAGMA secure_delete = OFF')
  database.run('CREATE TABLE told (text TEXT)')
  database.run('INSERT INTO told VALUES (?)', [text])
  if (isDeleted) database.run('DELETE FROM told')
  return new DatabaseFile(path)
}

describe('the search of free bytes', () => {
  test.each([...spellings, ['ada@customer.example'] as const, ['ADA%40customer.example'] as const])(
    'finds %s, and not where it is a row’s',
    async (text) => {
      const address = new AddressSpellings(/ada/i.test(text) ? 'ada@customer.example' : uni)
      for (const isDeleted of [true, false]) {
        await using folder = new TemporaryDatabase()
        const file = fileWith(folder, `please write ${text}`, { isDeleted })
        expect(await hasLeftovers(file, address)).toBe(isDeleted)
        file.close()
      }
    },
  )
})
