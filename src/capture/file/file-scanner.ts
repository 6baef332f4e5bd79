import { once } from 'node:events'
import { createConnection } from 'node:net'

/** Looks for malware in a file. */
export interface FileScanner {
  /** @throws when nobody could look */
  isClean(file: Blob): Promise<boolean>
}

const scanMsMax = 60_000
const answerCharactersMax = 4096

/** A ClamAV daemon at a unix socket. The protocol is INSTREAM of clamd(8): pieces led by their length, and an empty one at the end. */
export const clamd = (socket: string): FileScanner => ({
  async isClean(file) {
    const answer = await ask(socket, file)
    if (answer.endsWith(' FOUND')) return false
    if (answer.endsWith(' OK')) return true
    throw new Error(`clamd answered ${JSON.stringify(answer)}`)
  },
})

async function ask(path: string, file: Blob): Promise<string> {
  const socket = createConnection({ path })
  const { promise: answered, resolve, reject } = Promise.withResolvers<string>()
  // It may fail while the file is still being sent.
  answered.catch(() => {})
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
    const end = answer.indexOf('\0')
    if (end !== -1) resolve(answer.slice(0, end))
    else if (answer.length > answerCharactersMax) reject(new Error('clamd answers without an end'))
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('clamd closed the connection')))
  socket.setTimeout(scanMsMax, () => reject(new Error('clamd did not answer in time')))
  try {
    socket.write('zINSTREAM\0')
    for await (const chunk of file.stream()) {
      socket.write(lengthOf(chunk.byteLength))
      // It answers early where it has seen enough.
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answered])
    }
    socket.write(lengthOf(0))
    return await answered
  } finally {
    socket.destroy()
  }
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}
