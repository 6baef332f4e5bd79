// The build puts a text in its place (packaging/executable.ts); from source it is not there.
declare const CAPTURE_TARGET: string

/** The machine that this executable was built for, such as `linux-x64-musl`; `null` from source. */
export const builtFor: string | null = typeof CAPTURE_TARGET === 'string' ? CAPTURE_TARGET : null
