import type { SQL } from 'bun'
import type { ChallengeSpend } from '../../capture/write-batch.ts'
import {
  batchBytesMax,
  type ClusterLog,
  type ClusterOverview,
  type IntakeBatch,
  type KeptPlace,
  type Lease,
  type LeaseCandidate,
  type Link,
  type LinkKind,
  type LinkPlace,
  leaseMs,
  linkBytesMax,
  type NodeNews,
  nodeKeptMs,
  readBytesMax,
  type SeenNode,
  takenBatchesMax,
} from '../../cluster/cluster-log.ts'
import { PatientPool, type PoolOptions } from './patient-pool.ts'
import { partBytes, tables } from './tables.ts'

/**
 * The names of the clusters that a database holds.
 *
 * @throws ClusterLogAway, OperatorError
 */
export async function clustersIn(options: PoolOptions): Promise<string[]> {
  const pool = new PatientPool(options)
  try {
    return await pool.ask(async (sql) => {
      await sql.unsafe(tables)
      const rows = await sql<{ cluster: string }[]>`SELECT DISTINCT cluster FROM lease ORDER BY cluster`
      return rows.map(({ cluster }) => cluster)
    })
  } finally {
    pool.close()
  }
}

/**
 * Claims a database for a cluster that is about to begin. Of several that do so at once, one has it.
 *
 * @returns the cluster that has it
 * @throws ClusterLogAway, OperatorError
 */
export async function claimDatabase(options: PoolOptions, cluster: string): Promise<string> {
  const pool = new PatientPool(options)
  try {
    return await pool.ask(async (sql) => {
      await sql.unsafe(tables)
      // An update without effect returns the row as it is, also when it was committed after this statement began.
      const [row] = await sql<{ cluster: string }[]>`
        INSERT INTO claim (place, cluster) VALUES (1, ${cluster})
        ON CONFLICT (place) DO UPDATE SET cluster = claim.cluster RETURNING cluster`
      return row?.cluster ?? cluster
    })
  } finally {
    pool.close()
  }
}

/** Links that are looked at when as many are read as fit. */
const linksMax = 100

interface PostgresLogOptions extends PoolOptions {
  /** Leads every key, so that clusters can share a database. */
  cluster: string
}

/**
 * A cluster's log in PostgreSQL. Whatever writes is one statement that may be repeated: no transaction lasts over several
 * round trips, and a pooler of transactions does no harm.
 */
export class PostgresLog implements ClusterLog {
  private readonly pool: PatientPool
  private readonly cluster: string

  constructor(private readonly options: PostgresLogOptions) {
    this.pool = new PatientPool(options)
    this.cluster = options.cluster
  }

  /** Makes the tables that are not there yet. @throws OperatorError without the right to */
  async prepare(): Promise<void> {
    await this.pool.ask((sql) => sql.unsafe(tables))
  }

  close(): void {
    this.pool.close()
  }

  async put(batch: IntakeBatch, spends: readonly ChallengeSpend[], withinMs: number): Promise<boolean[]> {
    if (batch.body.byteLength > batchBytesMax) throw new RangeError('the batch is too large for a cluster')
    // Several spends of one challenge would change a row twice: the first counts.
    const firsts = new Map(spends.toReversed().map((spend) => [keyOf(spend), spend]))
    const unspent = await this.pool.ask((sql) => this.insertBatch(sql, batch, [...firsts.values()]), withinMs)
    return spends.map((spend) => firsts.get(keyOf(spend)) === spend && unspent.has(keyOf(spend)))
  }

  async putKept(batch: IntakeBatch, spends: readonly ChallengeSpend[], place: KeptPlace): Promise<number> {
    if (batch.body.byteLength > batchBytesMax) throw new RangeError('the batch is too large for a cluster')
    return this.pool.ask((sql) => this.insertKept(sql, batch, spends, place))
  }

  async forgetKept(file: string): Promise<void> {
    const { cluster } = this
    // Its row stays for a while: a try that was given up may still be on its way.
    await this.pool.ask(
      (sql) => sql`
        WITH done AS (
          UPDATE kept SET through = ${Number.MAX_SAFE_INTEGER}, at = clock_timestamp()
          WHERE cluster = ${cluster} AND file = ${file}::uuid
        )
        DELETE FROM kept WHERE cluster = ${cluster} AND file <> ${file}::uuid AND at < clock_timestamp() -
          CASE WHEN through = ${Number.MAX_SAFE_INTEGER} THEN interval '1 day' ELSE interval '366 days' END`,
    )
  }

  async take(except: readonly string[]): Promise<IntakeBatch[]> {
    const { cluster } = this
    return this.pool.ask(
      (sql) => sql<IntakeBatch[]>`
        WITH visible AS (
          SELECT id, seq, octet_length(body) AS bytes FROM intake
          WHERE cluster = ${cluster}
            AND NOT EXISTS (SELECT 1 FROM unnest(${idList(except)}::text::uuid[]) AS had (id) WHERE had.id = intake.id)
          ORDER BY seq LIMIT ${takenBatchesMax}
        ), fitting AS (
          SELECT id, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM visible
        )
        SELECT intake.id, node, format, entries, body FROM intake JOIN fitting ON fitting.id = intake.id
        WHERE cluster = ${cluster} AND before < ${readBytesMax} ORDER BY intake.seq`,
    )
  }

  async link(link: Link, run: string): Promise<'stored' | 'fenced' | 'elsewhere'> {
    if (link.body.byteLength > linkBytesMax) throw new RangeError('the link is too large')
    return this.pool.ask(async (sql) => {
      const { stored, leads } = await this.insertLink(sql, link, run)
      if (stored > 0 || (await this.isAt(sql, link))) return 'stored'
      return leads > 0 ? 'elsewhere' : 'fenced'
    })
  }

  async links(after: LinkPlace | null): Promise<Link[] | 'elsewhere'> {
    const number = after?.number ?? 0
    return this.pool.ask(async (sql) => {
      const rows = await this.readLinks(sql, number)
      const [first] = rows
      if (first === undefined) return after === null || (await this.isAt(sql, after)) ? [] : 'elsewhere'
      const goesOn = Number(first.number) === number + 1 && first.previous === (after?.id ?? null)
      return goesOn ? rows.map(linkOf) : 'elsewhere'
    })
  }

  async base(): Promise<Link | null> {
    const { cluster } = this
    return this.pool.ask(async (sql) => {
      const [row] = await sql<LinkRow[]>`
        SELECT number, id, previous, term, schema, kind, array_to_string(taken, ',') AS taken, body FROM link
        WHERE cluster = ${cluster} AND kind IN ('base', 'rebase') AND part = 0 ORDER BY number DESC LIMIT 1`
      return row === undefined ? null : linkOf(row)
    })
  }

  async forget(through: number, olderThanMs: number): Promise<void> {
    const { cluster } = this
    await this.pool.ask(
      (sql) => sql`
        DELETE FROM link WHERE cluster = ${cluster} AND number <= ${through}
          AND at < clock_timestamp() - ${olderThanMs}::float8 * interval '1 millisecond'
          AND number < (SELECT max(number) FROM link WHERE cluster = ${cluster})`,
    )
  }

  async lease(candidate: LeaseCandidate | null): Promise<Lease | null> {
    return this.pool.ask(async (sql) => {
      if (candidate !== null) await this.takeLease(sql, candidate)
      const [row] = await sql<LeaseRow[]>`
        SELECT node, run, term, address, certificate, nominee, has_ended AS "hasEnded",
          (extract(epoch FROM until - clock_timestamp()) * 1000)::float8 AS "leftMs"
        FROM lease WHERE cluster = ${this.cluster}`
      return row === undefined ? null : { ...row, term: Number(row.term) }
    })
  }

  async release(run: string): Promise<void> {
    await this.pool.ask(
      (sql) => sql`
        UPDATE lease SET until = least(until, clock_timestamp()) WHERE cluster = ${this.cluster} AND run = ${run}::uuid`,
    )
  }

  async nominate(node: string | null): Promise<void> {
    await this.pool.ask((sql) => sql`UPDATE lease SET nominee = ${node} WHERE cluster = ${this.cluster}`)
  }

  async end(run: string): Promise<boolean> {
    const ended = await this.pool.ask(
      (sql) => sql<unknown[]>`
        UPDATE lease SET has_ended = true WHERE cluster = ${this.cluster} AND run = ${run}::uuid RETURNING node`,
    )
    return ended.length > 0
  }

  async dismiss(node: string): Promise<void> {
    await this.pool.ask((sql) => sql`DELETE FROM node WHERE cluster = ${this.cluster} AND name = ${node}`)
  }

  async announce(node: NodeNews): Promise<string | null> {
    const { name, address, certificate, version, schema, applied, state, mayLead } = node
    const { clock } = this.options
    // What is read in RETURNING is as it was before this statement.
    const [row] = await this.pool.ask(
      (sql) => sql<{ before: string | null }[]>`
        WITH forgotten AS (
          DELETE FROM node WHERE cluster = ${this.cluster} AND name <> ${name}
            AND seen_at < clock_timestamp() - ${nodeKeptMs}::float8 * interval '1 millisecond'
        )
        INSERT INTO node (cluster, name, address, certificate, version, schema, applied, state, may_lead, skew_ms, seen_at)
        VALUES (${this.cluster}, ${name}, ${address}, ${certificate}, ${version}, ${schema}, ${applied}, ${state}, ${mayLead},
          ${clock.now()}::float8 - extract(epoch FROM clock_timestamp()) * 1000, clock_timestamp())
        ON CONFLICT (cluster, name) DO UPDATE SET address = excluded.address, certificate = excluded.certificate,
          version = excluded.version, schema = excluded.schema, applied = excluded.applied, state = excluded.state,
          may_lead = excluded.may_lead, skew_ms = excluded.skew_ms, seen_at = excluded.seen_at
        RETURNING (SELECT earlier.certificate FROM node AS earlier
          WHERE earlier.cluster = ${this.cluster} AND earlier.name = ${name}) AS before`,
    )
    return row?.before ?? null
  }

  async overview(): Promise<ClusterOverview> {
    const { cluster } = this
    return this.pool.ask(async (sql) => {
      const nodes = await sql<(Omit<SeenNode, 'applied'> & { applied: string })[]>`
        SELECT name, address, certificate, version, schema, applied, state, may_lead AS "mayLead", skew_ms AS "skewMs",
          (extract(epoch FROM seen_at) * 1000)::float8 AS "seenAt",
          (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "silentMs"
        FROM node WHERE cluster = ${cluster} ORDER BY name`
      const [state] = await sql<{ end: string | null; oldestWaitsMs: number | null }[]>`
        SELECT (SELECT max(number) FROM link WHERE cluster = ${cluster}) AS "end",
          (SELECT extract(epoch FROM clock_timestamp() - min(at)) * 1000 FROM intake
            WHERE cluster = ${cluster})::float8 AS "oldestWaitsMs"`
      return {
        nodes: nodes.map((node) => ({ ...node, applied: Number(node.applied) })),
        end: Number(state?.end ?? 0),
        oldestWaitsMs: state?.oldestWaitsMs ?? null,
      }
    })
  }

  /** Returns the challenges that this batch spends. */
  private async insertBatch(sql: SQL, batch: IntakeBatch, spends: readonly ChallengeSpend[]): Promise<Set<string>> {
    const { cluster } = this
    const { id, node, format, entries, body } = batch
    // In one order, so that two nodes do not wait for each other. An update without effect returns the row as it is,
    // also when it was committed after this statement began.
    const rows = await sql<{ accountId: string; challenge: string; isOurs: boolean }[]>`
      WITH stored AS (
        INSERT INTO intake (cluster, id, node, format, entries, body)
        VALUES (${cluster}, ${id}::uuid, ${node}, ${format}, ${entries}, ${body}) ON CONFLICT DO NOTHING
      )
      INSERT INTO spent (cluster, account, challenge, batch, expires_at)
      SELECT ${cluster}, "accountId", challenge, ${id}::uuid, to_timestamp("expiresAt" / 1000)
      FROM json_to_recordset(${JSON.stringify(spends)}::text::json)
        AS spend ("accountId" text, challenge text, "expiresAt" float8)
      ORDER BY "accountId", challenge
      ON CONFLICT (cluster, account, challenge) DO UPDATE SET batch = spent.batch
      RETURNING account AS "accountId", challenge, batch = ${id}::uuid AS "isOurs"`
    return new Set(rows.filter(({ isOurs }) => isOurs).map(keyOf))
  }

  /** Returns how far the cluster has the file. */
  private async insertKept(
    sql: SQL,
    batch: IntakeBatch,
    spends: readonly ChallengeSpend[],
    { file, from, to }: KeptPlace,
  ): Promise<number> {
    const { cluster } = this
    const { id, node, format, entries, body } = batch
    // The file's row decides: a repeat that waited for the first try finds that it has moved on.
    const moved = await sql<unknown[]>`
      WITH moved AS (
        INSERT INTO kept (cluster, file, through, at)
        SELECT ${cluster}, ${file}::uuid, ${to}::bigint, clock_timestamp()
        WHERE ${from}::bigint = 0 OR EXISTS (SELECT 1 FROM kept WHERE cluster = ${cluster} AND file = ${file}::uuid)
        ON CONFLICT (cluster, file) DO UPDATE SET through = excluded.through, at = excluded.at
          WHERE kept.through = ${from}::bigint
        RETURNING through
      ), stored AS (
        INSERT INTO intake (cluster, id, node, format, entries, body)
        SELECT ${cluster}, ${id}::uuid, ${node}, ${format}::integer, ${entries}::integer, ${body}::bytea FROM moved
        ON CONFLICT DO NOTHING
      ), spending AS (
        INSERT INTO spent (cluster, account, challenge, batch, expires_at)
        SELECT ${cluster}, "accountId", challenge, ${id}::uuid, to_timestamp("expiresAt" / 1000)
        FROM json_to_recordset(${JSON.stringify(spends)}::text::json)
          AS spend ("accountId" text, challenge text, "expiresAt" float8)
        WHERE EXISTS (SELECT 1 FROM moved)
        ORDER BY "accountId", challenge
        ON CONFLICT DO NOTHING
      )
      SELECT 1 FROM moved`
    if (moved.length > 0) return to
    const [row] = await sql<{ through: string }[]>`
      SELECT through FROM kept WHERE cluster = ${cluster} AND file = ${file}::uuid`
    return Number(row?.through ?? 0)
  }

  private async insertLink(sql: SQL, link: Link, run: string): Promise<{ leads: number; stored: number }> {
    const { cluster } = this
    const { number, id, previous, term, schema, kind, taken, body } = link
    const lastPart = Math.max(0, Math.ceil(body.byteLength / partBytes) - 1)
    // The lock on the lease's row keeps a successor from beginning before this is decided.
    const rows = await sql<{ leads: number; stored: number }[]>`
      WITH leads AS (
        SELECT 1 FROM lease WHERE cluster = ${cluster} AND run = ${run}::uuid AND term = ${term} FOR UPDATE
      ), stored AS (
        -- The first part decides: another link of this number may have fewer.
        INSERT INTO link (cluster, number, part, term, id, previous, schema, kind, taken, body)
        SELECT ${cluster}, ${number}, 0, ${term}, ${id}::uuid, ${previous}::uuid, ${schema}, ${kind},
          ${idList(taken)}::text::uuid[], substring(${body}::bytea FROM 1 FOR ${partBytes}::integer)
        FROM leads
        WHERE (${number}::bigint = 1 AND ${previous}::uuid IS NULL) OR EXISTS (
          SELECT 1 FROM link WHERE cluster = ${cluster} AND number = ${number}::bigint - 1 AND id = ${previous}::uuid)
        ON CONFLICT DO NOTHING RETURNING cluster, number, term, id, previous, schema, kind, taken
      ), others AS (
        INSERT INTO link (cluster, number, part, term, id, previous, schema, kind, taken, body)
        SELECT cluster, number, part, term, id, previous, schema, kind, taken,
          substring(${body}::bytea FROM part * ${partBytes}::integer + 1 FOR ${partBytes}::integer)
        FROM stored, generate_series(1, ${lastPart}::integer) AS part
      ), taken AS (
        -- Joined: comparing each row with a list of thousands would take seconds.
        DELETE FROM intake USING unnest(${idList(taken)}::text::uuid[]) AS had (id)
        WHERE intake.cluster = ${cluster} AND intake.id = had.id AND EXISTS (SELECT 1 FROM stored)
      ), forgotten AS (
        DELETE FROM spent WHERE cluster = ${cluster} AND expires_at < clock_timestamp() - interval '1 day'
          AND EXISTS (SELECT 1 FROM stored)
      )
      SELECT (SELECT count(*) FROM leads)::integer AS leads, (SELECT count(*) FROM stored)::integer AS stored`
    return rows[0] ?? { leads: 0, stored: 0 }
  }

  private async readLinks(sql: SQL, after: number): Promise<LinkRow[]> {
    const { cluster } = this
    return sql<LinkRow[]>`
      WITH size AS (
        SELECT number, sum(octet_length(body)) AS bytes FROM link
        WHERE cluster = ${cluster} AND number > ${after} AND number <= ${after}::bigint + ${linksMax} GROUP BY number
      ), fitting AS (
        SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before FROM size
      )
      SELECT link.number, id, previous, term, schema, kind, array_to_string(taken, ',') AS taken,
        string_agg(body, '' ORDER BY part) AS body
      FROM link JOIN fitting ON fitting.number = link.number
      WHERE cluster = ${cluster} AND before < ${readBytesMax}
      GROUP BY link.number, id, previous, term, schema, kind, taken ORDER BY link.number`
  }

  private async isAt(sql: SQL, { number, id }: LinkPlace): Promise<boolean> {
    const rows = await sql<unknown[]>`
      SELECT 1 FROM link WHERE cluster = ${this.cluster} AND number = ${number} AND part = 0 AND id = ${id}::uuid`
    return rows.length > 0
  }

  private async takeLease(
    sql: SQL,
    { node, run, address, certificate, succeeds = null }: LeaseCandidate,
  ): Promise<void> {
    await sql`
      INSERT INTO lease (cluster, node, run, term, address, certificate, until)
      VALUES (${this.cluster}, ${node}, ${run}::uuid, 1, ${address}, ${certificate},
        clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond')
      ON CONFLICT (cluster) DO UPDATE SET node = excluded.node, run = excluded.run, address = excluded.address,
        certificate = excluded.certificate,
        term = lease.term + CASE WHEN lease.run = excluded.run THEN 0 ELSE 1 END,
        nominee = CASE WHEN lease.run = excluded.run THEN nullif(lease.nominee, excluded.node) END,
        until = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
      WHERE NOT lease.has_ended AND (
        lease.run = excluded.run OR lease.run = ${succeeds}::uuid
        -- Nobody gets it for so long: this clock has gone back.
        OR lease.until > clock_timestamp() + ${2 * leaseMs}::float8 * interval '1 millisecond'
        OR lease.until < clock_timestamp() AND (
          coalesce(lease.nominee, excluded.node) = excluded.node
          OR lease.until < clock_timestamp() - ${leaseMs}::float8 * interval '1 millisecond'))`
  }
}

interface LinkRow extends Omit<Link, 'number' | 'term' | 'taken' | 'kind'> {
  number: string
  term: string
  kind: LinkKind
  taken: string
}

interface LeaseRow extends Omit<Lease, 'term'> {
  term: string
}

const keyOf = ({ accountId, challenge }: Pick<ChallengeSpend, 'accountId' | 'challenge'>): string =>
  `${accountId} ${challenge}`

const idList = (ids: readonly string[]): string => `{${ids.join(',')}}`

const linkOf = ({ number, term, taken, ...row }: LinkRow): Link => ({
  ...row,
  number: Number(number),
  term: Number(term),
  taken: taken === '' ? [] : taken.split(','),
})
