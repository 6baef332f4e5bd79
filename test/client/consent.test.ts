import { describe, expect, test } from 'bun:test'
import { consentIn } from '../../src/client/events/consent.ts'

describe('the consent signal', () => {
  test.each([[true], ['granted'], [{ granted: true }], [() => true], [() => 'granted'], [() => ({ granted: true })]])(
    '%p is a yes',
    (signal) => {
      expect(consentIn(signal)).toBe(true)
    },
  )

  test.each([[false], ['denied'], [{ granted: false }], [() => false], [() => ({ granted: false })]])(
    '%p is a no',
    (signal) => {
      expect(consentIn(signal)).toBe(false)
    },
  )

  test.each([[undefined], [null], ['pending'], ['true'], [1], [{}], [{ granted: 'maybe' }], [() => undefined]])(
    '%p is silence, and silence is no yes',
    (signal) => {
      expect(consentIn(signal)).toBeUndefined()
    },
  )
})
