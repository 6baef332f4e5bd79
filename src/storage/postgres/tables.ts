/**
 * The tables that the nodes of a cluster share. The cluster leads every key, and nothing here is PostgreSQL's alone but
 * the setting for `VACUUM`: a batch lives for a second, and reading steps over the dead.
 */
export const tables = `
  CREATE TABLE IF NOT EXISTS intake (
    cluster text NOT NULL,
    id uuid NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    node text NOT NULL,
    format integer NOT NULL,
    entries integer NOT NULL,
    body bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (cluster, id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  CREATE INDEX IF NOT EXISTS intake_order ON intake (cluster, seq);

  CREATE TABLE IF NOT EXISTS spent (
    cluster text NOT NULL,
    account text NOT NULL,
    challenge text NOT NULL,
    batch uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (cluster, account, challenge)
  );
  CREATE INDEX IF NOT EXISTS spent_expiry ON spent (cluster, expires_at);

  CREATE TABLE IF NOT EXISTS kept (
    cluster text NOT NULL,
    file uuid NOT NULL,
    through bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (cluster, file)
  );

  CREATE TABLE IF NOT EXISTS link (
    cluster text NOT NULL,
    number bigint NOT NULL,
    part integer NOT NULL,
    term bigint NOT NULL,
    id uuid NOT NULL,
    previous uuid,
    schema integer NOT NULL,
    kind text NOT NULL,
    taken uuid[] NOT NULL,
    body bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (cluster, number, part)
  );

  CREATE TABLE IF NOT EXISTS lease (
    cluster text PRIMARY KEY,
    node text NOT NULL,
    run uuid NOT NULL,
    term bigint NOT NULL,
    address text NOT NULL,
    certificate text NOT NULL,
    until timestamptz NOT NULL,
    nominee text,
    has_ended boolean NOT NULL DEFAULT false
  );

  -- One row: the cluster that began here. Two that begin at once would share a store, which each clears of the other's.
  CREATE TABLE IF NOT EXISTS claim (
    place integer PRIMARY KEY,
    cluster text NOT NULL
  );

  CREATE TABLE IF NOT EXISTS node (
    cluster text NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    certificate text NOT NULL,
    version text NOT NULL,
    schema integer NOT NULL,
    applied bigint NOT NULL,
    state text NOT NULL,
    may_lead boolean NOT NULL,
    skew_ms float8 NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (cluster, name)
  );`

/** Bytes of a body in one row of `link`. */
export const partBytes = 1024 * 1024
