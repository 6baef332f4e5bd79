// docs/files.md, "Until the form is sent": what nobody claims goes within the hour, also when the service was killed meanwhile.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadStore } from '../../../src/capture/file/upload-store.ts'
import { WaitingFiles } from '../../../src/capture/file/waiting-files.ts'
import { openUploadStore } from '../../../src/storage/filesystem/upload-store.ts'

const hourMs = 3_600_000
const of = { accountId: 'acme', formId: 'contact1' }
const content = new TextEncoder().encode('the bytes')
const sha256 = Bun.SHA256.hash(content, 'hex')

let dataDir: string
let now: number
let released: string[]
let complaints: string[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'capture-uploads-'))
  mkdirSync(join(dataDir, 'assets'))
  now = Date.now()
  released = []
  complaints = []
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const waitingIn = () => readdirSync(join(dataDir, 'waiting-files'))
const isKept = () => existsSync(join(dataDir, 'assets', sha256.slice(0, 2), sha256))

async function opened({
  freeBytes = Number.MAX_SAFE_INTEGER,
  keptBytes = 0,
  store = null as UploadStore | null,
  onLoose = () => {},
} = {}) {
  const real = store ?? (await openUploadStore(dataDir))
  const files = new WaitingFiles({
    store: Object.assign(Object.create(real), { freeBytes: async () => freeBytes }),
    keptBytes: () => keptBytes,
    loosen: async (hashes) => {
      released.push(...hashes)
      onLoose()
    },
    limits: { uploadMbPerAccount: 1, minFreeMb: 1 },
    clock: { now: () => now },
    log: { error: (message) => void complaints.push(message) },
  })
  await files.open()
  const receive = async (check: string | null = null) => {
    const token = files.newToken()
    await real.write(
      token,
      (async function* () {
        yield content
      })(),
    )
    await files.add(token, {
      ...of,
      field: 'cv',
      name: 'cv.pdf',
      type: 'pdf',
      bytes: content.length,
      sha256,
      at: now,
      check: check === 'own' ? token : check,
    })
    return token
  }
  return { files, receive, real }
}

const claim = (files: WaitingFiles, token: string) => files.claim([{ field: 'cv', token }], of)

test('a thousand unclaimed files are gone within the hour, and their tokens are good for nothing', async () => {
  const { files, receive } = await opened()
  const tokens: string[] = []
  for (let n = 0; n < 1000; n++) tokens.push(await receive())
  expect(waitingIn()).toHaveLength(2000)
  now += hourMs - 20_000
  expect(claim(files, tokens[0] ?? '')).toBeNull()
  await files.look()
  expect(waitingIn()).toEqual([])
  expect(new Set(released)).toEqual(new Set([sha256]))
})

test('after a kill a file that had arrived can be claimed, and what had not is gone', async () => {
  const { receive } = await opened()
  const token = await receive()
  writeFileSync(join(dataDir, 'waiting-files', `svc_up_${'x'.repeat(32)}`), 'half a fi')
  writeFileSync(join(dataDir, 'waiting-files', `svc_up_${'y'.repeat(32)}.json.part`), '{"acc')
  const { files } = await opened()
  expect(waitingIn().sort()).toEqual([token, `${token}.json`])
  expect(claim(files, token)?.files).toMatchObject([{ name: 'cv.pdf', sha256 }])
})

test('what waited longer than the hour while the service was off is gone once it has started', async () => {
  const { receive } = await opened()
  await receive()
  now += hourMs
  const { files } = await opened()
  await files.look()
  expect(waitingIn()).toEqual([])
})

test('of what an earlier process received nothing stays stored, however soon loose contents are removed', async () => {
  const { receive } = await opened()
  await receive()
  now += hourMs
  const { files } = await opened({ onLoose: () => rmSync(join(dataDir, 'assets', sha256.slice(0, 2), sha256)) })
  await files.look()
  expect([waitingIn(), isKept()]).toEqual([[], false])
})

test('a submission that was checked in time is refused, not stored without bytes, once its file is being removed', async () => {
  let claimed: ReturnType<typeof claim> = null
  const stored: unknown[] = []
  const { files, receive } = await opened({
    onLoose: () =>
      stored.push(
        claimed
          ?.store(async () => {})
          .then(
            () => 'stored',
            ({ check }) => check,
          ),
      ),
  })
  const token = await receive()
  claimed = claim(files, token)
  now += hourMs
  await files.look()
  expect(await Promise.all(stored)).toEqual(['file'])
  expect([waitingIn(), complaints]).toEqual([[], []])
})

test('the bytes are stored before the record, and a file whose record could not be stored waits on', async () => {
  const { files, receive } = await opened()
  const token = await receive()
  const failing = claim(files, token)?.store(async () => {
    expect(isKept()).toBe(true)
    throw new Error('the disk is full')
  })
  await expect(failing).rejects.toThrow('the disk is full')
  await claim(files, token)?.store(async () => {})
  expect(waitingIn()).toEqual([])
  expect(isKept()).toBe(true)
})

test('bytes that were collected while their record was being stored are stored again', async () => {
  const { files, receive } = await opened()
  const token = await receive()
  await claim(files, token)?.store(async () => rmSync(join(dataDir, 'assets', sha256.slice(0, 2), sha256)))
  expect(isKept()).toBe(true)
})

test('a note that a power cut left empty goes with its bytes, and the service starts', async () => {
  const { receive } = await opened()
  const [empty, other, whole] = [await receive(), await receive(), await receive()]
  writeFileSync(join(dataDir, 'waiting-files', `${empty}.json`), '')
  writeFileSync(join(dataDir, 'waiting-files', `${other}.json`), 'null')
  const { files } = await opened()
  expect(waitingIn().sort()).toEqual([whole, `${whole}.json`])
  expect(claim(files, whole)).not.toBeNull()
  expect(complaints).toHaveLength(2)
})

test.each(['keep', 'remove'])(
  'a stored submission holds when the disk fails to %s, and the next look settles it',
  async (act) => {
    let isBroken = false
    const real = await openUploadStore(dataDir)
    const store = new Proxy(real, {
      get: (of, name: keyof typeof real) =>
        isBroken && name === act ? () => Promise.reject(new Error('EIO')) : of[name].bind(of),
    })
    const { files, receive } = await opened({ store })
    const token = await receive()
    await claim(files, token)?.store(async () => {
      isBroken = true
      rmSync(join(dataDir, 'assets', sha256.slice(0, 2), sha256))
    })
    expect(complaints).toHaveLength(1)
    expect(claim(files, token)).toBeNull()
    isBroken = false
    await files.look()
    expect(waitingIn()).toEqual([])
    expect(isKept()).toBe(true)
  },
)

test('a bot check that a submission has used up lets in no file that was under way', async () => {
  const { files, receive } = await opened()
  const token = await receive('own')
  await receive(token)
  await claim(files, token)?.store(async () => {
    await expect(receive(token)).rejects.toMatchObject({ check: 'bot_check' })
  })
  await expect(receive(token)).rejects.toMatchObject({ check: 'bot_check' })
})

const place = { accountId: 'acme', address: '192.0.2.1', bytes: 1000 }

test('no file is taken where it would leave the disk less than is kept for submissions', async () => {
  const { files } = await opened({ freeBytes: 1_048_576 })
  await expect(files.within(place, async () => {})).rejects.toMatchObject({ check: 'storage', status: 503 })
})

test('no file is taken beyond the room of the account, whose files of records count', async () => {
  const { files } = await opened({ keptBytes: 1_048_576 })
  await expect(files.within(place, async () => {})).rejects.toMatchObject({ check: 'upload_room', status: 503 })
})

test('the visitors of one account leave places for those of others', async () => {
  const { files } = await opened()
  const { promise, resolve } = Promise.withResolvers<void>()
  const at = (n: number, accountId = 'acme') => ({ accountId, address: `192.0.2.${n}`, bytes: 1 })
  const many = Array.from({ length: 32 }, (_, n) => files.within(at(n), () => promise))
  await expect(files.within(at(40), async () => {})).rejects.toMatchObject({ check: 'uploads' })
  expect(await files.within(at(40, 'other'), async () => 'taken')).toBe('taken')
  resolve()
  await Promise.all(many)
})

test('what arrives while another process takes over is to be sent again, and nothing of it stays', async () => {
  const { files, receive } = await opened()
  const left = files.within(place, async () => {
    files.leave()
    throw new Error('the other process has removed the bytes')
  })
  await expect(left).rejects.toMatchObject({ check: 'uploads', retryAfterSeconds: 1 })
  await expect(receive()).rejects.toMatchObject({ check: 'uploads' })
})

test('one address sends so many files at once', async () => {
  const { files } = await opened()
  const { promise, resolve } = Promise.withResolvers<void>()
  const six = [1, 2, 3, 4, 5, 6].map(() => files.within({ ...place }, () => promise))
  await expect(files.within({ ...place }, async () => {})).rejects.toMatchObject({ check: 'uploads', status: 429 })
  expect(await files.within({ ...place, address: '192.0.2.2' }, async () => 'taken')).toBe('taken')
  resolve()
  await Promise.all(six)
  expect(await files.within(place, async () => 'taken')).toBe('taken')
})
