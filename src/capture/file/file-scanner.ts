/** Looks for malware in a file. */
export interface FileScanner {
  /** @throws when nobody could look */
  isClean(file: Blob): Promise<boolean>
}

const scanMsMax = 60_000
const chunkBytes = 65_536
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
  const { promise: answered, resolve, reject } = Promise.withResolvers<string>()
  // It may fail while the file is still being sent.
  answered.catch(() => {})
  let answer = ''
  let drained = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    unix: path,
    socket: {
      data(_, bytes) {
        answer += bytes.toString('latin1')
        if (answer.length > answerCharactersMax) reject(new Error('clamd answers without an end'))
        const end = answer.indexOf('\0')
        if (end !== -1) resolve(answer.slice(0, end))
      },
      drain: () => drained.resolve(),
      error: (_, error) => reject(error),
      close: () => reject(new Error('clamd closed the connection')),
    },
  })
  const tooLate = setTimeout(() => reject(new Error('clamd did not answer in time')), scanMsMax)
  const send = async (bytes: Uint8Array): Promise<void> => {
    for (let sent = 0; sent < bytes.length; ) {
      drained = Promise.withResolvers<void>()
      sent += socket.write(bytes.subarray(sent))
      if (sent < bytes.length) await Promise.race([drained.promise, answered])
    }
  }
  try {
    await send(Buffer.from('zINSTREAM\0'))
    for (let from = 0; from < file.size; from += chunkBytes) {
      const chunk = await file.slice(from, from + chunkBytes).bytes()
      await send(Buffer.concat([lengthOf(chunk.length), chunk]))
    }
    await send(lengthOf(0))
    return await answered
  } finally {
    clearTimeout(tooLate)
    socket.end()
  }
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}
