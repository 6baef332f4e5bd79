// Defined by the build (packaging/executable.ts); undefined when run from source.
declare const CAPTURE_TARGET: string

/** The target of this executable, such as `linux-x64-musl`; `null` when run from source. */
export const builtFor: string | null = typeof CAPTURE_TARGET === 'string' ? CAPTURE_TARGET : null
