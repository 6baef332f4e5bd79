import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadStore } from '../../../src/capture/file/upload-store.ts'
import { WaitingFiles } from '../../../src/capture/file/waiting-files.ts'
import { borrowsFiles, filesPath, lendsFiles } from '../../../src/cli/serve/node-files.ts'
import { type NodePlace, startNodeListener } from '../../../src/cluster/between-nodes.ts'
import { makeDefaultCertificate } from '../../../src/https/default-certificate.ts'
import { newSecret } from '../../../src/lib/sign.ts'
import { openUploadStore } from '../../../src/storage/filesystem/upload-store.ts'

const secret = newSecret()
const of = { accountId: 'acme', formId: 'contact1' }
const content = new TextEncoder().encode('the bytes')
const sha256 = Bun.SHA256.hash(content, 'hex')

interface Node {
  files: WaitingFiles
  uploads: UploadStore
  dataDir: string
  /** How often somebody asked it. */
  asked: number
}

let places: NodePlace[]
let stops: (() => unknown)[]
beforeEach(() => {
  places = []
  stops = []
})
afterEach(async () => {
  for (const stop of stops) await stop()
})

/** A node that can ask all that were begun before or after it. */
async function aNode(): Promise<Node> {
  const dataDir = mkdtempSync(join(tmpdir(), 'capture-uploads-'))
  mkdirSync(join(dataDir, 'assets'))
  const uploads = await openUploadStore(dataDir)
  const pair = makeDefaultCertificate()
  const files = new WaitingFiles({
    store: uploads,
    keptBytes: () => 0,
    loosen: async () => {},
    bring: borrowsFiles(async () => places.filter(({ certificate }) => certificate !== pair.certificate), secret),
    limits: { uploadMbPerAccount: 1, minFreeMb: 0 },
    clock: Date,
    log: { error: (message) => expect(message).toBe('') },
  })
  await files.open()
  const node = { files, uploads, dataDir, asked: 0 }
  const lending = lendsFiles(files, uploads)
  const server = startNodeListener({
    ...{ pair, secret, address: { host: '127.0.0.1', port: 0 } },
    answer: ({ method, url }) => {
      node.asked++
      return lending(method, new URL(url).pathname.slice(filesPath.length))
    },
    onError: (error) => {
      throw error
    },
  })
  places.push({ address: `127.0.0.1:${server.port}`, certificate: pair.certificate })
  stops.push(
    () => server.stop(true),
    () => rmSync(dataDir, { recursive: true }),
  )
  return node
}

/** @param check `own`: this upload solved one */
async function received({ files, uploads }: Node, check: string | null = null): Promise<string> {
  const token = files.newToken()
  await uploads.write(
    token,
    (async function* () {
      yield content
    })(),
  )
  const about = { ...of, field: 'cv', name: 'cv.pdf', type: 'pdf' as const, bytes: content.length, sha256 }
  await files.add(token, { ...about, at: Date.now(), check: check === 'own' ? token : check })
  return token
}

const claim = ({ files }: Node, token: string) => files.claim([{ field: 'cv', token }], of)

test('a file that came to one node is claimed on another, whose file it is from then on', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const token = await received(one)
  await other.files.bring([token])
  expect(claim(one, token)).toBeNull()
  const claimed = claim(other, token)
  await claimed?.store(async () => {})
  expect(claimed?.files).toMatchObject([{ name: 'cv.pdf', sha256 }])
  expect(readdirSync(join(one.dataDir, 'waiting-files'))).toEqual([])
  expect(await Bun.file(join(other.dataDir, 'assets', sha256.slice(0, 2), sha256)).bytes()).toEqual(content)
})

test('what one solved bot check let in moves together, so that it counts for one submission in the whole cluster', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const first = await received(one, 'own')
  const second = await received(one, first)
  await other.files.bring([second])
  expect(one.files.checkOf(first, of)).toBeNull()
  expect(other.files.checkOf(first, of)).toBe(first)
  const claimed = claim(other, second)
  expect(claimed?.passedCheck).toBe(true)
  await claimed?.store(async () => {})
  await one.files.bring([first])
  expect([claim(one, first), claim(other, first)]).toEqual([null, null])
})

test('a file that a submission is being stored with stays where it is', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const token = await received(one)
  await claim(one, token)?.store(() => other.files.bring([token]))
  expect(claim(other, token)).toBeNull()
})

test('what cannot be brought whole stays where it is, for the next try', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const first = await received(one, 'own')
  const second = await received(one, first)
  await Bun.write(join(one.dataDir, 'waiting-files', second), 'damaged')
  await other.files.bring([first])
  expect(claim(other, first)).toBeNull()
  expect(readdirSync(join(other.dataDir, 'waiting-files'))).toEqual([])
  expect(one.files.checkOf(first, of)).toBe(first)
  await Bun.write(join(one.dataDir, 'waiting-files', second), content)
  await other.files.bring([first])
  expect([claim(one, first), claim(other, first)?.passedCheck]).toEqual([null, true])
})

test('a node that does not answer is waited for once, however many files are asked for', async () => {
  let tries = 0
  const open = (socket: Bun.Socket) => {
    tries++
    socket.end()
  }
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open, data() {} } })
  stops.push(() => silent.stop(true))
  places.push({ address: `127.0.0.1:${silent.port}`, certificate: makeDefaultCertificate().certificate })
  const [one, other] = [await aNode(), await aNode()]
  const tokens = [await received(one), await received(one), await received(one)]
  await other.files.bring(tokens)
  expect(tokens.map((token) => claim(other, token) !== null)).toEqual([true, true, true])
  expect(tries).toBe(1)
})

test('nobody is asked for what waits here, or is no token', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const token = await received(one)
  await one.files.bring([token, '../capture.db', 'svc_up_short'])
  expect(other.asked).toBe(0)
})
