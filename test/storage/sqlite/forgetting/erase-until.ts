import { SQLiteError } from 'bun:sqlite'
import { spyOn } from 'bun:test'
import type { AForgettingBox } from '../a-forgetting-box.ts'

/** What a disk that is gone says: nobody goes on behind it, as behind a kill. */
const death: Error = Object.assign(Object.create(SQLiteError.prototype), {
  name: 'SQLiteError',
  code: 'SQLITE_IOERR',
})

/** Calls `beforeStep` before each transaction of the erasure, the first is 0; answers how many there were. */
export async function eraseInSteps(
  box: AForgettingBox,
  email: string,
  beforeStep: (step: number) => void,
): Promise<number> {
  const { db } = box.connection
  const transaction = db.transaction.bind(db)
  let begun = 0
  let isBetween = false
  const stepping = spyOn(db, 'transaction').mockImplementation((change, config) => {
    if (!isBetween) {
      isBetween = true
      try {
        beforeStep(begun)
      } finally {
        isBetween = false
      }
      begun++
    }
    return transaction(change, config)
  })
  try {
    await box.erase(email)
  } finally {
    stepping.mockRestore()
  }
  return begun
}

/** Lets the erasure die before a transaction; `null`: it does not. Answers how many there were. */
export async function eraseUntil(box: AForgettingBox, email: string, deathAt: number | null): Promise<number> {
  let begun = 0
  try {
    await eraseInSteps(box, email, (step) => {
      begun = step
      if (step === deathAt) throw death
      begun++
    })
  } catch (error) {
    if (error !== death) throw error
  }
  return begun
}
