import type { ListedDelivery } from '../../delivery/delivery-desk.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { Cell } from '../output/table.ts'

const instant = (at: number): string => new Date(at).toISOString()

/** A delivery as `--json` prints it (contract section 14). */
export const deliveryResult = (row: ListedDelivery) => ({
  id: row.id,
  destination: row.destination,
  kind: row.kind,
  submissionId: row.submissionId,
  state: row.state,
  paused: row.paused,
  attempts: row.attempts,
  createdAt: instant(row.createdAt),
  nextAt: row.nextAt === null ? null : instant(row.nextAt),
  lastStatus: row.lastStatus,
  lastError: row.lastError,
})

export const deliveryHeaders = ['Created', 'Id', 'Destination', 'State', 'Tries', 'Next', 'Last']

export const deliveryCells = (row: ListedDelivery): Cell[] => [
  timestamp(row.createdAt),
  row.id,
  row.destination,
  stateCell(row),
  row.attempts,
  row.nextAt === null || row.paused ? null : timestamp(row.nextAt),
  row.lastError ?? (row.lastStatus === null ? null : String(row.lastStatus)),
]

function stateCell({ state, paused }: Pick<ListedDelivery, 'state' | 'paused'>): Cell {
  if (state === 'delivered') return { text: 'delivered', tone: 'good' }
  if (state === 'failed') return { text: 'failed', tone: 'bad' }
  return paused ? { text: 'paused', tone: 'doubtful' } : 'waiting'
}
