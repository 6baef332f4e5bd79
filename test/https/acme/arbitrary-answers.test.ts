import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readDirectory } from '../../../src/https/acme/acme-connection.ts'
import { AcmeProblem } from '../../../src/https/acme/problem.ts'
import { problemOf } from '../../../src/https/acme/transport.ts'

const members = [
  'newNonce',
  'newAccount',
  'newOrder',
  'meta',
  'renewalInfo',
  'type',
  'detail',
  'subproblems',
  'instance',
]
const values = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.webUrl({ validSchemes: ['https'] }))
const texts = fc.oneof(
  fc.string(),
  fc.dictionary(fc.constantFrom(...members), values).map((answer) => JSON.stringify(answer)),
)
const answers = fc.record({ text: texts, status: fc.integer({ min: 200, max: 599 }) }).map(({ text, status }) => ({
  ...{ url: 'https://ca.test/dir', headers: new Headers(), text, status },
}))

test('whatever an authority answers to an error becomes a problem in words', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const problem = problemOf(answer, 0)
      expect(problem).toBeInstanceOf(AcmeProblem)
      expect(problem.detail).not.toBe('')
    }),
  )
})

test('whatever stands in place of a directory is one, or a problem', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      try {
        expect(readDirectory({ ...answer, status: 200 }, 0).newOrder).toStartWith('https:')
      } catch (error) {
        expect(error).toBeInstanceOf(AcmeProblem)
      }
    }),
  )
})
