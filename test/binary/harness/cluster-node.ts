import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { membershipOf } from '../../../src/cli/serve/control-socket.ts'
import { eventually } from '../../harness/eventually.ts'
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

/** Waits until the cluster has something to join from, and joins. */
export async function joins(box: BinaryBox, url: string): Promise<void> {
  await using sql = new SQL({ url, max: 1 })
  await eventually('there is a base', async () => {
    const bases = await sql`SELECT 1 FROM link WHERE kind = 'base'`.catch(() => [])
    return bases.length > 0
  })
  await box.done(['cluster', 'join'])
}

// Asked of the services themselves: a command would cost a process each time.

export const leads = async ({ dataDir }: BinaryBox): Promise<boolean> => (await membershipOf(dataDir))?.leads ?? false

/** Waits until the nodes do this, as one that serves sees it. */
export const become = ({ dataDir }: BinaryBox, states: Record<string, string>): Promise<void> =>
  eventually(`the nodes are ${JSON.stringify(states)}`, async () => {
    const nodes = (await membershipOf(dataDir))?.status?.nodes ?? []
    return Bun.deepEquals(Object.fromEntries(nodes.map(({ name, state }) => [name, state])), states)
  })
