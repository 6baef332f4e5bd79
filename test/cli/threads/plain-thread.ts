// A thread that dies as the first of its service, and as a later one takes until it is told to finish.
import { workInThread } from '../../../src/cli/threads/service-thread.ts'

workInThread<number, never, { finish: true }>(async (count, { log }) => {
  const finishing = Promise.withResolvers<void>()
  log.info(`begun ${count}`)
  if (count === 1) setTimeout(() => process.exit())
  return {
    receive: () => finishing.resolve(),
    async close() {
      log.info('closing')
      await finishing.promise
      log.info('finished')
    },
  }
})
