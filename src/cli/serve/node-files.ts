import type { UploadStore } from '../../capture/file/upload-store.ts'
import type { BringFiles, WaitingFile, WaitingFiles } from '../../capture/file/waiting-files.ts'
import { askNode, type NodePlace } from '../../cluster/between-nodes.ts'

// A visitor's file may come to one node and the form that names it to another: the file then moves, with all that the same bot
// check let in, so that the check counts once.
// POST lends the files and says what they are, GET gives the bytes of one, DELETE confirms that the other node has them all, and
// PUT gives them back.

export const filesPath = '/waiting-files/'

const askMsMax = 3000
/** Of all files that move together. */
const bytesMsMax = 60_000
/** A node that has said nothing by then has died: it has them no more, or never did. */
const lentMsMax = 90_000
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
    if (method === 'DELETE' || method === 'PUT') {
      await end(token, method === 'DELETE')
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
      let nodes = await others()
      const taken = new Set<string>()
      // In turn: a file may come along with one before.
      for (const token of tokens) {
        if (taken.has(token)) continue
        const found = await Promise.all(nodes.map((node) => take(token, { files, node, secret })))
        for (const each of found.flatMap((all) => all ?? [])) taken.add(each)
        // One that does not answer is waited for once.
        nodes = nodes.filter((_, at) => found[at] !== null)
      }
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

/** @returns the tokens of what is here now; `null`: the node does not answer */
async function take(token: string, { files, node, secret }: Taking): Promise<string[] | null> {
  const within = (ms: number) => ({ signal: AbortSignal.timeout(ms) })
  const ask = (method: string, of: string, init: { signal: AbortSignal }): Promise<Response> =>
    askNode(node, secret, filesPath + of, { method, ...init })
  try {
    const answer = await ask('POST', token, within(askMsMax))
    if (!answer.ok) return []
    const lent = new Map((await answer.json()) as [string, WaitingFile][])
    const bytes = within(bytesMsMax)
    const isHere = await files
      .takeUp(lent, async (each) => (await ask('GET', each, bytes)).body ?? new ReadableStream())
      .then(
        () => true,
        () => false,
      )
    // Without an answer they stay: twice is better than never.
    await ask(isHere ? 'DELETE' : 'PUT', token, within(askMsMax)).catch(() => {})
    return isHere ? [...lent.keys()] : []
  } catch {
    return null
  }
}
