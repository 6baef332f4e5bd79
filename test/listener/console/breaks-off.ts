import { AProxy, aSocket } from './a-proxy.ts'

// A program of its own, since Bun writes to the stderr of the process: asks a console that breaks off in the middle of its answer.

const proxySocket = aSocket()
const begun = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nbegun\r\n'
const behind = Bun.listen({ unix: proxySocket.socket, socket: { data: (socket) => void socket.end(begun) } })
const proxy = new AProxy(proxySocket, () => behind.stop(true))
const outcome = await fetch(proxy.url)
  .then((answer) => answer.text())
  .catch(() => 'broken off')
await Bun.write(Bun.stdout, `${outcome} ${proxy.uses}\n`)
await proxy[Symbol.asyncDispose]()
