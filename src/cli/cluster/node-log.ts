import { SealedLog } from '../../cluster/sealed-log.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import type { Clock } from '../../lib/clock.ts'
import { PostgresLog } from '../../storage/postgres/postgres-log.ts'

/** A cluster's log as one thread of a node has it. */
export interface NodeLog {
  log: SealedLog
  /** Makes what is not there yet. @throws ClusterLogAway, OperatorError */
  prepare(): Promise<void>
  close(): void
}

/** @param name of the cluster */
export function openNodeLog({ url, ca, secret }: ClusterConfig, name: string, clock: Clock): NodeLog {
  const postgres = new PostgresLog({ url, ca, clock, cluster: name })
  return {
    log: new SealedLog(postgres, Buffer.from(secret, 'base64')),
    prepare: () => postgres.prepare(),
    close: () => postgres.close(),
  }
}
