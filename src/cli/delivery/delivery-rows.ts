import type { ListedDelivery } from '../../delivery/delivery-desk.ts'
import { timestamp } from '../../lib/quantities.ts'
import type { Cell } from '../output/table.ts'

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
