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
