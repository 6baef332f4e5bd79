import type { UploadStore } from '../../capture/file/upload-store.ts'
import type { BringFiles, WaitingFile, WaitingFiles } from '../../capture/file/waiting-files.ts'
import { askNode, type NodePlace } from '../../cluster/between-nodes.ts'

// A visitor's file may come to one node and the form that names it to another: the file then moves, with all that the same bot
// check let in, so that the check counts once.
// POST lends the files and says what they are, GET gives the bytes of one, DELETE confirms that the other node has them.

export const filesPath = '/waiting-files/'

/** A node that has not confirmed by then has died, or did not get them. */
const lentMsMax = 5 * 60_000
const askMsMax = 3000
const bytesMsMax = 60_000
/** Of files whose nodes are asked for at once: anybody can send tokens. */
const askedAtOnceMax = 20

/** What this node answers another one about the files that wait here. */
export function lendsFiles(files: WaitingFiles, uploads: Pick<UploadStore, 'open'>) {
  const lent = new Map<string, { tokens: string[]; overdue: Timer }>()
  const isLent = (token: string): boolean => lent.values().some(({ tokens }) => tokens.includes(token))
  const end = (token: string, isGood: boolean): Promise<void> => {
    const { tokens = [], overdue } = lent.get(token) ?? {}
    clearTimeout(overdue)
    lent.delete(token)
    return files.lentFor(tokens, isGood)
  }
  return async (method: string, token: string): Promise<Response> => {
    if (method === 'GET') return isLent(token) ? new Response(uploads.open(token)) : nothing()
    if (method === 'DELETE') {
      await end(token, true)
      return new Response(null, { status: 204 })
    }
    const found = files.lend(token)
    if (found === null) return nothing()
    lent.set(token, { tokens: [...found.keys()], overdue: setTimeout(() => void end(token, false), lentMsMax) })
    return Response.json([...found])
  }
}

const nothing = (): Response => new Response(null, { status: 404 })

/** Brings here what other nodes received. What none of them has stays unknown. */
export function borrowsFiles(others: () => Promise<NodePlace[]>, secret: Uint8Array): BringFiles {
  let asked = 0
  return async (tokens, files) => {
    if (asked >= askedAtOnceMax) return
    asked++
    try {
      const nodes = await others()
      // In turn: a file may come along with one before.
      for (const token of tokens)
        await Promise.all(nodes.map((node) => take(token, { files, node, secret }).catch(() => {})))
    } finally {
      asked--
    }
  }
}

interface Taking {
  files: Pick<WaitingFiles, 'takeUp'>
  node: NodePlace
  secret: Uint8Array
}

async function take(token: string, { files, node, secret }: Taking): Promise<void> {
  const ask = (method: string, of: string, msMax: number): Promise<Response> =>
    askNode(node, secret, filesPath + of, { method, signal: AbortSignal.timeout(msMax) })
  const answer = await ask('POST', token, askMsMax)
  if (!answer.ok) return
  for (const [each, file] of (await answer.json()) as [string, WaitingFile][])
    await files.takeUp(each, file, (await ask('GET', each, bytesMsMax)).body ?? new ReadableStream())
  await ask('DELETE', token, askMsMax)
}
