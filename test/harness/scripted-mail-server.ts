import { createServer, type Socket } from 'node:net'

/** What the server does once the client has said something; `end` closes the connection, `silence` says nothing more. */
export type Reply = string | 'end' | 'silence'

export type Script = (line: string) => Reply

/** Says what an orderly server says, but for what the script overrides. It never encrypts. */
export async function scriptedMailServer(override: (line: string) => Reply | null) {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = ''
    let isMessage = false
    const say = (reply: Reply): void => {
      if (reply === 'end') socket.destroy()
      else if (reply !== 'silence') socket.write(`${reply}\r\n`)
    }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        if (isMessage && line !== '.') continue
        isMessage = false
        lines.push(line)
        const reply = override(line) ?? orderly(line)
        isMessage = reply.startsWith('354')
        say(reply)
      }
    })
    say(override('(greeting)') ?? '220 mail.test ESMTP')
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return {
    port: address.port,
    /** What the client has said. */
    lines,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function orderly(line: string): Reply {
  if (line.startsWith('EHLO')) return '250-mail.test\r\n250 AUTH PLAIN LOGIN'
  if (line.startsWith('AUTH')) return '235 welcome'
  if (line === 'DATA') return '354 go on'
  if (line === 'QUIT') return '221 bye'
  return '250 ok'
}
