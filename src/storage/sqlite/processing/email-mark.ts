/**
 * Persons are found by 32 bits of their address's hash. An index of addresses would leave copies of them in the free
 * bytes of its pages, out of any erasure's reach. A mark this short matches several of all existing addresses, so what
 * is left of one identifies nobody.
 *
 * `email` as `identityEmail` writes it.
 */
export function emailMark(email: string): number {
  return new DataView(Bun.SHA256.hash(email).buffer).getUint32(0)
}
