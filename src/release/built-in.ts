// Defined by the build (packaging/executable.ts); undefined when run from source.
declare const CAPTURE_TARGET: string

/** The target of this executable, such as `linux-x64-musl`; `null` when run from source. */
export const builtFor: string | null = typeof CAPTURE_TARGET === 'string' ? CAPTURE_TARGET : null

/**
 * The path of a package's executable, which only the package manager may replace. Packages never install below /usr/local.
 */
export const packagedExecutable = '/usr/bin/capture'

// Defined by the build (packaging/executable.ts); undefined when run from source.
declare const CAPTURE_NOTICES: string

/** Licences ask that their texts go where the program goes: an eighth of 200 kB in each executable. */
export const packedNotices = (text: string): string =>
  Buffer.from(Bun.zstdCompressSync(text, { level: 19 })).toString('base64')

/** What this executable contains of others, with their licences; `null` when run from source. */
export const builtInNotices = (): string | null =>
  typeof CAPTURE_NOTICES === 'string'
    ? Bun.zstdDecompressSync(Buffer.from(CAPTURE_NOTICES, 'base64')).toString('utf8')
    : null
