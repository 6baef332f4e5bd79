import { expect, test } from 'bun:test'
import { Challenges } from '../../src/console/sign-in/passkeys.ts'

const minuteMs = 60_000

function atHeldClock(): { challenges: Challenges; pass(ms: number): void } {
  let now = 1_700_000_000_000
  const pass = (ms: number) => {
    now += ms
  }
  return { challenges: new Challenges({ now: () => now }), pass }
}

test('a challenge stays good, however many are made after it', () => {
  const { challenges } = atHeldClock()
  const own = challenges.make('sign')
  for (let n = 0; n < 5000; n++) challenges.make('sign')
  expect(challenges.isOpen(own, 'sign')).toBe(true)
})

test('a challenge is spent once', () => {
  const { challenges, pass } = atHeldClock()
  const own = challenges.make('sign')
  expect([challenges.spend(own), challenges.spend(own)]).toEqual([true, false])
  expect(challenges.isOpen(own, 'sign')).toBe(false)
  pass(4 * minuteMs)
  challenges.spend(challenges.make('sign'))
  expect(challenges.isOpen(own, 'sign')).toBe(false)
})

test('a challenge ends after five minutes', () => {
  const { challenges, pass } = atHeldClock()
  const own = challenges.make('sign')
  pass(5 * minuteMs - 1)
  expect(challenges.isOpen(own, 'sign')).toBe(true)
  pass(1)
  expect(challenges.isOpen(own, 'sign')).toBe(false)
})

test.each([
  ['for another purpose', (own: string) => [own, 'new.ada']],
  ['with a later end', (own: string) => [own.replace(/\.[0-9a-z]+\./, '.zzzzzzzz.'), 'sign']],
  ['without its signature', (own: string) => [own.slice(0, -1), 'sign']],
  ['that is none', () => ['', 'sign']],
])('a challenge %s is no challenge', (_, changed) => {
  const { challenges } = atHeldClock()
  const [challenge = '', purpose = ''] = changed(challenges.make('sign'))
  expect(challenges.isOpen(challenge, purpose)).toBe(false)
})

test('challenges of another process are none', () => {
  expect(atHeldClock().challenges.isOpen(atHeldClock().challenges.make('sign'), 'sign')).toBe(false)
})
