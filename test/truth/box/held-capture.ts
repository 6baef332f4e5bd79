// The program from source, but for its clock, which whoever started it holds: `bun held-capture.ts CLOCKFILE …words`.
Bun.env.NODE_ENV ??= 'production'

const { runCommandLine } = await import('../../../src/cli/command-line.ts')
const { processWorld } = await import('../../../src/cli/session.ts')
const { clockHeldIn } = await import('./held-clock.ts')

const world = processWorld()
const [clockFile = '', ...argv] = world.argv

process.exit(await runCommandLine({ ...world, argv, clock: clockHeldIn(clockFile) }))

export {}
