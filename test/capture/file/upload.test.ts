// docs/files.md, "Room": whoever sends slower than any phone gives the place to others.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureFile, type FileCapture } from '../../../src/capture/file/upload.ts'
import { WaitingFiles } from '../../../src/capture/file/waiting-files.ts'
import type { SiteRequest } from '../../../src/capture/site-request.ts'
import { openUploadStore } from '../../../src/storage/filesystem/upload-store.ts'
import { pdf } from '../../harness/visitor-files.ts'

const field = { types: ['pdf'], bytesMax: 10_000_000, count: 1 }
const form = { id: 'contact1', botCheckRequired: false, takesFiles: true, files: { cv: field } }
const account = { id: 'acme', forms: new Map([[form.id, form]]) }

let dataDir: string
let nowMs: number
let files: WaitingFiles
let capture: FileCapture

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'capture-uploads-'))
  nowMs = 0
  const clock = { now: () => nowMs, monotonicMs: () => nowMs }
  const uploads = await openUploadStore(dataDir)
  const log = { error: () => {} }
  const limits = { uploadMbPerAccount: 100, minFreeMb: 0 }
  files = new WaitingFiles({ store: uploads, keptBytes: () => 0, loosen: async () => {}, limits, clock, log })
  capture = { files, uploads, clock, limits, budgets: { take: async () => 0 }, scanner: () => null } as never
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/** A file that comes in pieces, before each of which something happens. */
function sent(pieces: readonly string[], before: () => void) {
  async function* body() {
    for (const piece of pieces) {
      before()
      yield Buffer.from(piece)
    }
  }
  // Read piece by piece: a request of Bun reads ahead.
  const request = { headers: new Headers(), body: body() }
  const asked = { request, account, clientAddress: '192.0.2.1' } as unknown as SiteRequest
  return captureFile(
    asked,
    { formId: form.id, field: 'cv', name: 'cv.pdf', check: null, onProgress: () => {} },
    capture,
  )
}

const pieces = [Buffer.from(pdf()).toString(), ...Array.from({ length: 60 }, () => 'x'.repeat(100))]

test('a file that arrives slowly ends after half a minute, and nothing of it stays', async () => {
  await expect(sent(pieces, () => (nowMs += 1000))).rejects.toMatchObject({ check: 'incomplete' })
  expect(nowMs).toBe(31_000)
  expect(readdirSync(join(dataDir, 'waiting-files'))).toEqual([])
})

test('a pause in a file that arrived quickly does not end it', async () => {
  const large = [pieces[0] ?? '', 'x'.repeat(1_000_000), 'end']
  const answer = await sent(large, () => (nowMs = nowMs === 2 ? 120_000 : nowMs + 1))
  expect([nowMs, answer.type]).toEqual([120_000, 'pdf'])
})

test('a file that still arrives when another process takes over is to be sent again, and nothing of it stays', async () => {
  await expect(sent(pieces, () => files.leave())).rejects.toMatchObject({ check: 'uploads', retryAfterSeconds: 1 })
  expect(readdirSync(join(dataDir, 'waiting-files'))).toEqual([])
})
