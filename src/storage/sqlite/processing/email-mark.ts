/**
 * Persons are found by 32 bits of their address's hash. An index of the addresses themselves would leave copies of them
 * in the free bytes of its pages, out of any erasure's reach; a mark so short fits several of all the addresses there
 * are, so that what is left of one tells nobody.
 *
 * `email` as `identityEmail` writes it.
 */
export function emailMark(email: string): number {
  return new DataView(Bun.SHA256.hash(email).buffer).getUint32(0)
}
