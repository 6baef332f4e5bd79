/** RFC 4648 section 5, without padding, as RFC 7515 requires. */
export const base64url = (bytes: Uint8Array | string): string =>
  (typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes).toBase64({
    alphabet: 'base64url',
    omitPadding: true,
  })
