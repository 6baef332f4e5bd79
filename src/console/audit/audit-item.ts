import type { AuditLine } from './audit-log.ts'

/** A line as the API and `audit list --json` give it. */
export const auditItem = ({ at, ...line }: AuditLine, handleOf: (id: string) => string | null) => ({
  ...line,
  at: new Date(at).toISOString(),
  account: line.accountId === null ? null : handleOf(line.accountId),
})
