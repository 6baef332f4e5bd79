import { expect, test } from 'bun:test'
import { SignatureFault } from '../../src/lib/minisign.ts'
import { builtInPublicKeys, publicKeysIn } from '../../src/release/public-keys.ts'
import { newSecretKey, publicKeyFile } from '../lib/minisign/keys.ts'

const [one, other] = [newSecretKey().public, newSecretKey().public]

test('several keys are read from files one below the other, and from bare lines', () => {
  const text = `${publicKeyFile(one)}\r\n${other.line}\n\n`
  expect(publicKeysIn(text).map(({ line }) => line)).toEqual([one.line, other.line])
  expect(publicKeysIn('')).toEqual([])
})

test('a line that is no key is a fault, and never passed over', () => {
  expect(() => publicKeysIn(`${one.line}\nRWQ`)).toThrow(SignatureFault)
})

test('from source no key is trusted', () => {
  expect(builtInPublicKeys()).toEqual([])
})
