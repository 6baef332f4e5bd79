/** The visitor's decision: granted, refused, or `undefined` while unknown. */
export type Consent = boolean | undefined

/**
 * Reads the page's consent signal (docs/script.md): `true`, `"granted"`, an object with `granted: true`,
 * or a function that returns one of these. `false`, `"denied"` and `granted: false` are a no; anything else is silence.
 */
export function consentIn(signal: unknown): Consent {
  const answer = typeof signal === 'function' ? signal() : signal
  const value = answer?.granted ?? answer
  return value === true || value === 'granted' || (value === false || value === 'denied' ? false : undefined)
}
