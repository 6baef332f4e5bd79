import { AcmeProblem } from '../../../src/https/acme/problem.ts'

/** The problem that a promise ends with. @throws when it does not end with one */
export async function problemIn(promise: Promise<unknown>): Promise<AcmeProblem> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AcmeProblem) return error
    throw error
  }
  throw new Error('It should have failed')
}
