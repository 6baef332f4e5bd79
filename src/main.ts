// Before anything else: what is not told otherwise runs as in production, and Elysia reads this when it is imported.
Bun.env.NODE_ENV ??= 'production'

const { runCommandLine } = await import('./cli/command-line.ts')
const { processWorld } = await import('./cli/session.ts')

process.exit(await runCommandLine(processWorld()))

// Makes this a module, which may await, though it must not import anything before the first line has run.
export {}
