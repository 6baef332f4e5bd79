// Makes new TLS connections, one after the other on each of several lanes, and says how many: a process of its own.
// `bun bench/handshake-client.ts PORT SECONDS LANES NAMES` (JSON); each handshake is a full one, of TLS 1.3.
import { connect } from 'node:tls'

const [port, seconds, lanes, names] = [Bun.argv[2], Bun.argv[3], Bun.argv[4], JSON.parse(Bun.argv[5] ?? '[]')] as const
let made = 0
const deadline = performance.now() + Number(seconds) * 1000
await Promise.all(Array.from({ length: Number(lanes) }, lane))
process.stdout.write(`${made}\n`)
process.exit()

async function lane(): Promise<void> {
  while (performance.now() < deadline) await handshake(names[made++ % names.length])
}

function handshake(servername: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername, rejectUnauthorized: false })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const { subject } = socket.getPeerCertificate()
      if (subject?.CN !== 'bench' || socket.getProtocol() !== 'TLSv1.3' || socket.isSessionReused()) {
        reject(new Error(`${servername}: ${subject?.CN} over ${socket.getProtocol()}`))
      }
      socket.destroy()
      resolve()
    })
  })
}
