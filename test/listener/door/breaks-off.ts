import { ADoor, aPassage } from './a-door.ts'

// A program of its own, since Bun writes to the stderr of the process: asks a console that breaks off in the middle of its answer.

const passage = aPassage()
const begun = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nbegun\r\n'
const behind = Bun.listen({ unix: passage.socket, socket: { data: (socket) => void socket.end(begun) } })
const door = new ADoor(passage, () => behind.stop(true))
const outcome = await fetch(door.url)
  .then((answer) => answer.text())
  .catch(() => 'broken off')
await Bun.write(Bun.stdout, `${outcome} ${door.uses}\n`)
await door[Symbol.asyncDispose]()
