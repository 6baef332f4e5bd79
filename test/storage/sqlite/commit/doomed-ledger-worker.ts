import { appendFileSync } from 'node:fs'
import { decodeRequest, type ThreadMemory } from '../../../../src/storage/sqlite/commit/worker-messages.ts'

// A writing thread that dies as soon as it is told of the database, beside which it notes when.
declare const self: Worker

self.onmessage = (message: MessageEvent<string | ThreadMemory>) => {
  if (typeof message.data !== 'string') return
  const request = decodeRequest(message.data)
  if ('open' in request) appendFileSync(`${request.open}.starts`, `${Date.now()}\n`)
  process.exit(1)
}
