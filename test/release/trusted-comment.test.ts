import { expect, test } from 'bun:test'
import { readTrustedComment, trustedComment } from '../../src/release/trusted-comment.ts'

const released = { file: 'capture-1.2.3-linux-x64', version: '1.2.3', target: 'linux-x64' }

test('a trusted comment reads as it was written, in the fields of minisign', () => {
  const comment = trustedComment(released, 1_700_000_000)
  expect(comment).toBe('timestamp:1700000000\tfile:capture-1.2.3-linux-x64\tversion:1.2.3\ttarget:linux-x64')
  expect(readTrustedComment(comment)).toEqual(released)
})

test('a file that was signed for something else is no release', () => {
  for (const comment of ['', 'timestamp:1\tfile:f\thashed', 'version:1.2.3\tfile:f', 'a word']) {
    expect(readTrustedComment(comment)).toBeNull()
  }
})
