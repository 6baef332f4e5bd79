import type { Publisher } from '../../account/publisher.ts'
import type { Box } from '../box.ts'

/** Notes a key or secret that was changed on the box, so that the next apply says so before it replaces it. */
export const noteChangeHere = (
  { publications, clock }: Pick<Box, 'publications' | 'clock'>,
  { accountId, subject, by }: { accountId: string; subject: string; by: Publisher },
): Promise<void> =>
  publications.add(accountId, { by, at: clock.now(), isHere: true, subjects: [subject], subjectCount: 1 })
