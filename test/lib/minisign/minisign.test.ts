import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  readPublicKey,
  readSignature,
  SignatureFault,
  type SignatureFaultReason,
  verifySignature,
} from '../../../src/lib/minisign.ts'
import { inPieces, newSecretKey, publicKeyFile, signatureFile } from './keys.ts'

const secret = newSecretKey()
const trusted = [secret.public]
const content = Buffer.from('what an executable is made of')
const signed = await signatureFile(inPieces(content), secret, 'file:capture\tversion:1.2.3')

/** What of minisign 0.11 itself was signed: `minisign -S -m f`, with `hello\n` in f. */
const minisigns = {
  publicKey: 'RWQhh1wrXW9iWvaYJQ5klMW9eNOa5xGVa+wQzHjivF9ofIO/71RMXX7P',
  content: Buffer.from('hello\n'),
  signature: `untrusted comment: signature from minisign secret key
RUQhh1wrXW9iWgvtK+yo10GNdzCzOW9QDISRC7nqQqWvsRU8G9mR/MwRvPLOOxoKzDiIlYgvER6oNCFb3HwrTQBUxVDFeISZ2Qg=
trusted comment: timestamp:1795324700	file:f	hashed
anJd6+rJ96k8PF+tqrfMcz8YM7e56ipomF34Jbg2xWsX2Op+5ApjCS2yM06dFzsVnQ3qjAf8x/CS763g3EBDCg==
`,
  legacy: `untrusted comment: signature from minisign secret key
RWQhh1wrXW9iWuqrmUiUAxQyOhSy620ok6r6rj3Sc8U7gBs9jeCZl2HnBuEoEpuCRmWqvBrkvlRjIaiTtIZWYguWH8KafcnIcgU=
trusted comment: timestamp:1795324704	file:f
i2SJcxYysvR7faSH0rCNLh261n0OEhwRuxHHe40QtnbdIVMwYgITWSPzKKctjBPFm2in/5Eat0xyF6z69oqpCQ==
`,
}

describe('verifying', () => {
  test("takes what minisign's own program signed, and tells its trusted comment", async () => {
    const key = readPublicKey(minisigns.publicKey)
    const vouched = await verifySignature(readSignature(minisigns.signature), inPieces(minisigns.content), [key])
    expect(vouched.trustedComment).toBe('timestamp:1795324700\tfile:f\thashed')
    expect(vouched.key.id).toBe('5A626F5D2B5C8721')
  })

  test('takes what we signed, whatever its content and its pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 400 }), async (bytes, size) => {
        const signature = readSignature(await signatureFile(inPieces(bytes), secret, 'a comment'))
        expect((await verifySignature(signature, inPieces(bytes, size), trusted)).trustedComment).toBe('a comment')
      }),
      { numRuns: 50 },
    )
  })

  test('takes any of the trusted keys', async () => {
    const others = [newSecretKey().public, secret.public, newSecretKey().public]
    expect((await verifySignature(readSignature(signed), inPieces(content), others)).key).toBe(secret.public)
  })

  test('refuses a file with any byte changed, missing or added', async () => {
    const changed = [...content.keys()].flatMap((at) => [flipped(content, at, 1), flipped(content, at, 0x80)])
    const others = [...changed, content.subarray(1), content.subarray(0, -1), Buffer.concat([content, Buffer.of(0)])]
    for (const other of others) expect(await reasonOf(signed, other)).toBe('content')
  })

  test('refuses a signature with any byte changed below the untrusted comment', async () => {
    const text = Buffer.from(signed)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: signed.indexOf('\n'), max: text.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, mask) => {
          expect(await reasonOf(flipped(text, at, mask).toString('latin1'), content)).not.toBeNull()
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('refuses another trusted comment, and says so before the file is read', async () => {
    const forged = readSignature(signed.replace('1.2.3', '9.9.9'))
    const unread = { [Symbol.asyncIterator]: () => expect.unreachable('the file was read') }
    await expect(verifySignature(forged, unread, trusted)).rejects.toMatchObject({ reason: 'signature' })
  })

  test('refuses a key that is not trusted, and one that only has the id of one that is', async () => {
    const other = newSecretKey()
    expect(await reasonOf(await signatureFile(inPieces(content), other, ''), content)).toBe('unknown-key')
    const namesake = { ...other, id: secret.id }
    expect(await reasonOf(await signatureFile(inPieces(content), namesake, ''), content)).toBe('signature')
  })

  test('refuses a signature over the file itself, which would need all of it in memory', async () => {
    expect(await reasonOf(minisigns.legacy, minisigns.content)).toBe('legacy')
  })

  test('refuses what is no signature', () => {
    const longer = `${signed}more\n`
    const uncommented = signed.replace('untrusted comment: ', '')
    const colourful = signed.replace('1.2.3', '1.2.3\u001b[31m')
    for (const text of [
      '',
      'RUQ',
      longer,
      uncommented,
      colourful,
      signed.replace('\nRU', '\nRV'),
      'x'.repeat(100_000),
    ]) {
      expect(() => readSignature(text)).toThrow(expect.objectContaining({ reason: 'malformed' }))
    }
  })

  test('takes a signature with the line endings of Windows', async () => {
    expect(await reasonOf(signed.replaceAll('\n', '\r\n'), content)).toBeNull()
  })
})

describe('keys', () => {
  test('a public key is read from its line and from its file', () => {
    const [line, file] = [secret.public.line, publicKeyFile(secret.public)].map(readPublicKey)
    expect(line?.line).toBe(secret.public.line)
    expect(file?.id).toBe(secret.public.id)
  })

  test('what is no public key is refused', () => {
    const twice = `${secret.public.line}\n${secret.public.line}`
    for (const text of ['', 'RWQ', newSecretKey().file, twice, secret.public.line.replace('RW', 'RX')]) {
      expect(() => readPublicKey(text)).toThrow(SignatureFault)
    }
  })
})

describe.if(Bun.which('minisign') !== null)("minisign's own program", () => {
  test('verifies what we signed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capture-minisign-'))
    try {
      writeFileSync(join(folder, 'f'), content)
      writeFileSync(join(folder, 'f.minisig'), signed)
      const verify = ['minisign', '-V', '-P', secret.public.line, '-m', 'f']
      const { exitCode, stdout } = Bun.spawnSync(verify, { cwd: folder, stdin: 'ignore' })
      expect(exitCode).toBe(0)
      expect(stdout.toString()).toContain('Trusted comment: file:capture\tversion:1.2.3')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

async function reasonOf(signature: string, file: Uint8Array): Promise<SignatureFaultReason | null> {
  try {
    await verifySignature(readSignature(signature), inPieces(file), trusted)
    return null
  } catch (error) {
    if (error instanceof SignatureFault) return error.reason
    throw error
  }
}

function flipped(bytes: Uint8Array, at: number, mask: number): Buffer {
  const other = Buffer.from(bytes)
  other[at] = (other[at] ?? 0) ^ mask
  return other
}
