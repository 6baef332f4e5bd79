import { expect, test } from 'bun:test'
import { knownDirectories, knownDirectoryAt } from '../../../src/https/acme/authority.ts'

const urls = Object.values(knownDirectories).flatMap(({ url, staging }) => (staging === null ? [url] : [url, staging]))

test('every known directory is an https URL', () => {
  expect(urls.filter((url) => new URL(url).protocol !== 'https:')).toEqual([])
})

test("Let's Encrypt's directory for trials is known by a name of its own too", () => {
  expect(knownDirectories.letsencrypt.staging).toBe(knownDirectories['letsencrypt-staging'].url)
})

test('a directory that is no known one is none', () => {
  expect(knownDirectoryAt('https://ca.example/directory')).toBeNull()
})

test('each known directory is found by its URL', () => {
  for (const directory of Object.values(knownDirectories)) expect(knownDirectoryAt(directory.url)).toBe(directory)
})
