import type { ReservedDomain } from '../../account/domain-claims.ts'
import { timestamp } from '../../lib/quantities.ts'

/** Says whose reservation an account takes. @param by the account's handle */
export const takenOverLine = (
  { host, handle, droppedAt }: Pick<ReservedDomain, 'host' | 'handle' | 'droppedAt'>,
  by: string,
): string =>
  `notice: ${host} is reserved for the account "${handle}", which had it until ${timestamp(droppedAt)}; "${by}" takes it.`
