import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownPort } from '../../harness/loopback.ts'
import type { BinaryBox } from './binary-box.ts'

interface NodeKeys {
  node: string
  url: string
  [key: string]: unknown
}

/** Lets a box be a node of a cluster from its next command on. @param secret of nodes that belong together, the same */
export function becomeNode(box: BinaryBox, keys: NodeKeys, secret = 7): void {
  const file = join(box.dir, 'cluster.key')
  writeFileSync(file, Buffer.alloc(32, secret), { mode: 0o600 })
  box.configure('cluster', { listen: `127.0.0.1:${ownPort()}`, secret_file: file, ...keys })
}
