import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty, boolean, double, integer, nat, record } from 'fast-check'
import { ClusterSeal } from '../../../src/cluster/cluster-seal.ts'
import type { KeptPiece, Round } from '../../../src/cluster/spool.ts'
import { newId } from '../../../src/lib/id.ts'
import { SpoolFolder, spooledIn } from '../../../src/storage/spool/spool-folder.ts'
import { SmallVolume } from '../../binary/harness/small-volume.ts'

const secret = Buffer.alloc(32, 7)
let dataDir = ''
let damaged: string[] = []
const opened: SpoolFolder[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'capture-spool-'))
  damaged = []
})
afterEach(async () => {
  for (const spool of opened.splice(0)) await spool.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function openSpool(bytesMax?: number, dir = dataDir, key: Uint8Array = secret): SpoolFolder {
  const spool = new SpoolFolder({
    ...{ dataDir: dir, seal: new ClusterSeal(key), onDamage: (file) => damaged.push(file) },
    ...(bytesMax !== undefined && { bytesMax }),
  })
  opened.push(spool)
  return spool
}

const roundOf = (text: string): Round => ({ id: newId(), entries: 1, spends: [], json: JSON.stringify({ text }) })
const textsOf = ({ rounds }: KeptPiece): string[] =>
  rounds.map(({ json }) => (JSON.parse(json) as { text: string }).text)
const files = (): string[] => {
  const folder = join(dataDir, 'spool')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}
const onlyFile = (): string => files()[0] ?? ''

/** Takes everything out. */
async function emptied(spool: SpoolFolder): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const piece = await spool.next()
    if (piece === null) return texts
    texts.push(...textsOf(piece))
    if (piece.rounds.length > 0) spool.moveTo({ file: piece.file, at: piece.to })
    else await spool.letGo(piece.file)
  }
}

describe('the spool of a node', () => {
  test('gives out all that was kept, in order, wherever kills cut off what was being written', async () => {
    const life = record({ kept: nat(4), cut: double({ min: 0, max: 0.999, noNaN: true }), isEmptied: boolean() })
    await assert(
      asyncProperty(array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
        const kept: string[] = []
        const out: string[] = []
        for (const { kept: count, cut, isEmptied } of lives) {
          const spool = openSpool()
          if (isEmptied) out.push(...(await emptied(spool)))
          for (let at = 0; at < count; at++) {
            kept.push(newId())
            await spool.keep(roundOf(kept.at(-1) ?? ''))
          }
          const before = new Map(files().map((file) => [file, readFileSync(file).length]))
          await spool.keep(roundOf('nobody was told'))
          const file = files().find((path) => readFileSync(path).length !== before.get(path)) ?? ''
          const from = before.get(file) ?? 0
          truncateSync(file, from + Math.floor((readFileSync(file).length - from) * cut))
        }
        out.push(...(await emptied(openSpool())))
        expect(out).toEqual(kept)
        expect(damaged).toEqual([])
        expect(files()).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  test('loses no more than the round in which a byte is damaged, names the file and leaves it', async () => {
    await assert(
      asyncProperty(integer({ min: 2, max: 6 }), double({ min: 0, max: 0.999, noNaN: true }), async (count, place) => {
        damaged = []
        const kept = Array.from({ length: count }, (_, at) => `round ${at}`)
        const first = openSpool()
        for (const text of kept) await first.keep(roundOf(text))
        await first.close()
        const file = onlyFile()
        const bytes = readFileSync(file)
        const at = Math.floor(bytes.length * place)
        bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at)
        writeFileSync(file, bytes)
        const out = await emptied(openSpool())
        expect(out).toHaveLength(count - 1)
        expect(kept).toEqual(expect.arrayContaining(out))
        expect(damaged).toEqual([file])
        expect(spooledIn(dataDir)).toEqual({ waiting: 0, damaged: [file.replace('.spool', '.damaged')] })
        rmSync(join(dataDir, 'spool'), { recursive: true })
      }),
      { numRuns: 30 },
    )
  })

  test('goes on where it was told, also when that is further back', async () => {
    const spool = openSpool()
    for (const text of ['a', 'b', 'c']) await spool.keep(roundOf(text))
    const whole = await spool.next()
    if (whole === null) throw new Error('nothing is kept')
    spool.moveTo({ file: whole.file, at: whole.to })
    await spool.keep(roundOf('d'))
    const last = await spool.next()
    expect(last && { from: last.from, texts: textsOf(last) }).toEqual({ from: whole.to, texts: ['d'] })
    spool.moveTo({ file: whole.file, at: 0 })
    expect(await emptied(spool)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('divides what it gives out, and a round of any size comes out whole', async () => {
    const spool = openSpool()
    const texts = ['x', 'y', 'z'].map((letter) => letter.repeat(200_000))
    for (const text of texts) await spool.keep(roundOf(text))
    const first = await spool.next()
    expect(first && textsOf(first)).toEqual(texts.slice(0, 1))
    expect(await emptied(spool)).toEqual(texts)
  })

  test('refuses what is too much, keeps what it has, and takes more once that is out', async () => {
    const spool = openSpool(1000)
    const random = (): string => crypto.getRandomValues(Buffer.alloc(200)).toString('hex')
    const kept: string[] = []
    const refused = await (async () => {
      for (;;) {
        const text = random()
        try {
          await spool.keep(roundOf(text))
        } catch (error) {
          return error
        }
        kept.push(text)
      }
    })()
    expect(refused).toEqual(new Error('this node keeps all that it may until the database answers'))
    await expect(spool.prove()).rejects.toThrow('all that it may')
    expect(spooledIn(dataDir).waiting).toBe(spool.bytes)
    expect(await emptied(spool)).toEqual(kept)
    await spool.keep(roundOf('more'))
    expect(await emptied(spool)).toEqual(['more'])
  })

  test('a file that is being written is let go only once all of it is out', async () => {
    const spool = openSpool()
    await spool.keep(roundOf('a'))
    const piece = await spool.next()
    if (piece === null) throw new Error('nothing is kept')
    await spool.keep(roundOf('b'))
    expect(await spool.letGo(piece.file)).toBe(false)
    spool.moveTo({ file: piece.file, at: piece.to })
    expect(await emptied(spool)).toEqual(['b'])
  })

  test('shows nothing of what is kept, and names another secret as the reason not to open', async () => {
    const spool = openSpool()
    await spool.keep(roundOf('ada@example.com'))
    await spool.close()
    expect(readFileSync(onlyFile()).includes('ada@example.com')).toBe(false)
    await expect(openSpool(undefined, dataDir, Buffer.alloc(32, 8)).next()).rejects.toThrow('secret_file')
    expect(damaged).toEqual([])
    expect(await emptied(openSpool())).toEqual(['ada@example.com'])
  })

  test('knows the challenges that were spent in it, until they expire', async () => {
    const spend = (challenge: string, expiresAt: number) => ({ accountId: 'account', challenge, expiresAt })
    const [young, old] = [spend('young', Date.now() + 60_000), spend('old', Date.now() - 1)]
    await openSpool().keep({ ...roundOf('a'), spends: [old, young] })
    appendFileSync(onlyFile(), 'capture sp')
    expect(await openSpool().spends(Date.now())).toEqual([young])
  })
})

describe.skipIf(!SmallVolume.isPossible('the test of a full disk'))('on a full disk', () => {
  test('a round is refused whole, and what was kept comes out', async () => {
    using volume = SmallVolume.mount(1)
    const spool = openSpool(undefined, volume.dir)
    const kept: string[] = []
    for (;;) {
      const text = crypto.getRandomValues(Buffer.alloc(50_000)).toString('hex')
      try {
        await spool.keep(roundOf(text))
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
        break
      }
      kept.push(text)
    }
    await spool.close()
    expect(await emptied(openSpool(undefined, volume.dir))).toEqual(kept)
  })
})
