import { ChangedMeanwhile } from './operator-error.ts'

/** The revisions that the caller has seen, one of which it has to be at; `null`: it may be at any. */
export type KnownRevisions = readonly string[] | null

/** The revision of what reads as this text. */
export const revisionOf = (text: string): string => Bun.SHA256.hash(text, 'hex').slice(0, 32)

/** Call under the lock with which it is written. @throws ChangedMeanwhile */
export function assertKnown(known: KnownRevisions, revision: string, message: string): void {
  if (known !== null && !known.includes(revision)) throw new ChangedMeanwhile(message, revision)
}
