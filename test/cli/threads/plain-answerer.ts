import { answerInThread } from '../../../src/cli/threads/one-answer.ts'
import { OperatorError } from '../../../src/lib/operator-error.ts'

// A thread that answers as it is told to.
answerInThread<string, string>(async (how) => {
  if (how === 'refuse') throw new OperatorError('The disk is full.')
  if (how === 'fail') throw new Error('SQLITE_BUSY')
  if (how === 'end') process.exit()
  if (how === 'never') return new Promise(() => {})
  if (how !== 'stray') return how
  setTimeout(() => {
    throw new Error('a secret of the record')
  })
  return new Promise(() => {})
})
