/** The rooms of `src/`, each with those it may import (docs/architecture.md draws the same picture). */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  build: ['packaging'],
  package: ['packaging'],
  packaging: ['config', 'lib', 'release'],
  cli: [
    'account',
    'asset',
    'backup',
    'capture',
    'client',
    'cluster',
    'config',
    'console',
    'delivery',
    'https',
    'language',
    'ledger',
    'lib',
    'listener',
    'operations',
    'operator',
    'outbound',
    'processing',
    'release',
    'report',
    'site',
    'storage',
    'verdict',
  ],
  listener: [
    'account',
    'asset',
    'capture',
    'console',
    'https',
    'language',
    'ledger',
    'lib',
    'operator',
    'report',
    'verdict',
  ],
  operator: ['capture', 'lib'],
  // Of `client`, the shape of what its script reads.
  console: ['account', 'client', 'language', 'lib', 'operations', 'report'],
  operations: [
    'account',
    'asset',
    'backup',
    'capture',
    'cluster',
    'config',
    'delivery',
    'https',
    'language',
    'ledger',
    'lib',
    'outbound',
    'processing',
    'report',
    'site',
  ],
  site: ['account', 'asset', 'language', 'lib'],
  capture: ['account', 'ledger', 'lib', 'outbound', 'verdict'],
  cluster: ['asset', 'backup', 'capture', 'ledger', 'lib'],
  verdict: ['ledger', 'lib'],
  processing: ['account', 'delivery', 'ledger', 'lib', 'verdict'],
  delivery: ['account', 'language', 'ledger', 'lib', 'outbound'],
  outbound: ['lib'],
  report: ['account', 'delivery', 'language', 'ledger', 'lib', 'processing'],
  asset: ['account', 'lib'],
  backup: ['asset', 'lib'],
  https: ['account', 'lib'],
  client: ['language', 'lib'],
  account: ['language', 'lib'],
  language: ['lib'],
  ledger: ['lib'],
  config: ['lib'],
  release: ['lib'],
  lib: [],
  // The ports it implements, and the types they speak of.
  storage: [
    'account',
    'asset',
    'backup',
    'capture',
    'cluster',
    'console',
    'https',
    'ledger',
    'lib',
    'operations',
    'processing',
    'delivery',
    'report',
    'site',
    'verdict',
  ],
}

/** Packages and built-in modules that belong to one place. A package that stands nowhere here is not used in `src/`. */
export const onlyIn: readonly { module: RegExp; places: readonly string[] }[] = [
  { module: /^elysia$|^@elysiajs\//, places: ['listener/', 'console/'] },
  {
    module: /^@sinclair\/typebox/,
    places: ['lib/toml/', 'lib/schema.ts', 'config/', 'ledger/', 'report/', 'site/', 'operations/', 'console/'],
  },
  { module: /^drizzle-orm/, places: ['storage/sqlite/'] },
  { module: /^bun:sqlite$/, places: ['storage/sqlite/', 'storage/lock/'] },
  { module: /^@simplewebauthn\/server$/, places: ['console/sign-in/passkeys.ts', 'console/page/'] },
  { module: /^diff$/, places: ['lib/text-diff.ts'] },
  { module: /^qr$/, places: ['console/look/qr-picture.ts'] },
  { module: /^commander$/, places: ['cli/'] },
  { module: /^toml-eslint-parser$/, places: ['lib/toml/'] },
  { module: /^altcha-lib/, places: ['capture/bot-check/'] },
  { module: /^age-encryption$/, places: ['backup/format/', 'backup/identity.ts'] },
  { module: /^nodemailer/, places: ['delivery/mail/'] },
  { module: /^ipaddr\.js/, places: ['lib/ip.ts'] },
  { module: /^altcha\//, places: ['client/bot-check/'] },
  { module: /^@(?:codemirror|lezer)\//, places: ['client/settings-editor/'] },
  { module: /^yauzl$|^yazl$/, places: ['storage/zip/'] },
  { module: /^@fastify\/busboy$/, places: ['console/api/folder/multipart.ts'] },
  { module: /^tldts$|^dns-packet$/, places: ['https/name/'] },
  { module: /^esbuild$/, places: ['client/bundle.ts'] },
  { module: /^isbot$/, places: ['verdict/'] },
  { module: /^bun:ffi$/, places: ['cli/serve/service-manager.ts'] },
  { module: /^bun:jsc$/, places: ['lib/last-compiler.ts'] },
  // These bring sockets and streams along: every command would wait 5 to 10 ms for them, so that what commands begin
  // with does without.
  {
    module: /^node:(?:dgram|net|tty|tls|https?|stream)$/,
    places: [
      'storage/zip/',
      'operations/doctor/observed-host.ts',
      'https/',
      'delivery/mail/transport.ts',
      'capture/file/file-scanner.ts',
    ],
  },
  {
    module: /^node:(?:crypto|zlib)$/,
    places: [
      'asset/',
      'capture/bot-check/',
      'client/',
      'https/',
      'lib/minisign.ts',
      'lib/seal.ts',
      'site/asset-bytes.ts',
      'storage/memory/',
      'storage/zip/',
    ],
  },
  {
    module: /^node:fs/,
    places: ['cli/', 'client/', 'config/', 'lib/user-name.ts', 'lib/ustar.ts', 'packaging/', 'site/', 'storage/'],
  },
]

/** The file that picks the storage, and the entry points of threads, which open what they work on. */
export const namesSqlite = /^src\/cli\/(?:open|workers\/[a-z-]+-worker)\.ts$/

/** What only a cluster needs. */
export const clusterOnly = /^src\/(?:cluster|storage\/(?:postgres|spool|valkey|sqlite\/cluster))\//
/** They load it where it is configured. */
export const loadsCluster: readonly string[] = [
  'src/cli/open.ts',
  'src/cli/serve/serving.ts',
  'src/cli/data-folder/open-assets.ts',
  'src/cli/cluster/join.ts',
  'src/cli/cluster/lead.ts',
  'src/cli/cluster/leave.ts',
  'src/cli/cluster/status.ts',
  'src/cli/cluster/with-node-log.ts',
]
/** What is begun or loaded for a cluster alone. */
export const forCluster = /cluster/
/** What the program and each of its threads begin with. */
export const begins = /^src\/(?:main|cli\/workers\/[\w-]+)\.ts$/

/** Places that read the clock or the random source themselves, and why they may. */
export const ownTimeOrChance: Readonly<Record<string, string>> = {
  'lib/clock.ts': 'is the clock',
  'lib/chance.ts': 'is the source of chance',
  'lib/id.ts': 'is the source of ids',
  'lib/sign.ts': 'is the source of secrets',
  'capture/bot-check/altcha.ts': 'draws a number in a range for each challenge; difficulty is its parameter',
  'storage/memory/token-buckets.ts': 'seeds its hash; the seed is its parameter',
  'storage/lock/folder-lock.ts': 'notes for people when a lock was taken',
  'storage/filesystem/asset-store.ts': 'compares with the file system’s own clock',
  'storage/target/file-target.ts': 'compares with the file system’s own clock',
  'cli/serve/serving.ts': 'notes for people when a proxy was seen',
}

/** Where the statements are, and the folder of what only SQLite understands. */
export const statements = 'src/storage/sqlite/'
export const lookup = `${statements}lookup/`

/** A piece of SQL inside a statement of Drizzle's. Schemas need it for checks and partial indexes. */
export const drizzlePiece = /(?<![.\w])sql(?:<[^>`]*>)?`/

/** JSON operators, rows by the number SQLite gives them, and hints to its planner. */
export const ownToSqlite =
  /->>|->\s*'|\bjson_extract\b|\b(?:_?rowid_?|oid)\b|\bCROSS JOIN\b|\bINDEXED\b|\b(?:un)?like(?:ly|lihood)\(|\b(?:WHERE|AND|OR|ON|BY) \+\w/

/** Statements that run for every entry. */
export const forEveryEntry = /^src\/storage\/sqlite\/(?:commit\/batch-|processing\/[\w-]+-rows|processing\/step)/

/** They read pages of the database file itself, whose cells have row numbers by no other name. */
export const readsPages: readonly string[] = ['forgetting/database-page.ts', 'forgetting/residue.ts']

/** The option with which Drizzle begins a transaction that writes. */
export const takesWriteLock = /\bbehavior: 'immediate'/
