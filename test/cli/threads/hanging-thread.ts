// A thread that opens a file, which hangs in the system as long as that is a pipe without a writer.
import { closeSync, openSync } from 'node:fs'
import { workInThread } from '../../../src/cli/threads/service-thread.ts'

workInThread<string>(async (file, { log }) => {
  closeSync(openSync(file, 'r'))
  log.info('opened')
  return { close: async () => {} }
})
