import type { DatabaseTraits } from '../../operations/doctor/inspection.ts'
import { PatientPool, type PoolOptions } from './patient-pool.ts'

/** How a database is set up, as far as anybody may see. @throws ClusterLogAway, OperatorError */
export async function databaseTraits(options: PoolOptions): Promise<DatabaseTraits> {
  const pool = new PatientPool(options)
  try {
    return await pool.ask(async (sql) => {
      const [row] = await sql<TraitsRow[]>`
        SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
          current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('synchronous_standby_names') AS standbys, current_setting('autovacuum') AS autovacuum,
          (SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname = 'intake')::float8 AS "deadRows"`
      if (row === undefined) throw new Error('the database says nothing of itself')
      const { version, fsync, autovacuum, deadRows, ...settings } = row
      return {
        ...settings,
        // Debian adds the version of its package.
        version: version.split(' ')[0] ?? version,
        fsync: fsync === 'on',
        autovacuum: autovacuum === 'on',
        deadRows: deadRows ?? 0,
      }
    })
  } finally {
    pool.close()
  }
}

interface TraitsRow {
  version: string
  fsync: string
  synchronousCommit: string
  standbys: string
  autovacuum: string
  deadRows: number | null
}
