import type { LoadedConfig } from '../config/load.ts'
import { AtWork, OperatorError } from '../lib/operator-error.ts'
import { diskFault, isDatabaseDamage } from '../operations/database/storage-fault.ts'
import type { Command, CommandSession, ExitStatus } from './command.ts'
import { commands as allCommands } from './commands.ts'
import { printResult } from './output/print-result.ts'
import { OutputClosed } from './output/streams.ts'
import { printable } from './output/text.ts'
import { parseCommandLine } from './program.ts'
import type { World } from './session.ts'
import { programVersion } from './version.ts'

/** Runs one command line and answers with the exit status of docs/running.md. Throws nothing. */
export async function runCommandLine(world: World, commands: Command[] = allCommands): Promise<ExitStatus> {
  let configFile: string | undefined
  try {
    const parsed = parseCommandLine(world.argv, { commands, version: programVersion, columns: world.out.columns })
    if ('printed' in parsed) {
      await world.out.write(parsed.printed)
      return 0
    }
    configFile = parsed.configFile
    const { command, input } = parsed
    const end = await command.run(input, commandSession(world, configFile))
    return typeof end === 'number' ? end : await printResult(end, input.json, world)
  } catch (error) {
    const damage = await damageOfDatabase(error, world, configFile).catch(() => null)
    return tell(damage ?? diskFault(error) ?? error, world, configFile)
  }
}

function commandSession(world: World, configFile: string | undefined): CommandSession {
  const session = { ...world, loadConfig: configReader(world, configFile) }
  return {
    ...session,
    async withBox(work, act) {
      const { withBox } = await import('./with-box.ts')
      return withBox(session, work, act)
    },
    async act(act, input) {
      const { doAct } = await import('./with-box.ts')
      return doAct(session, act, input)
    },
  }
}

/** Reads the configuration on first use, and prints its warnings once. */
function configReader(world: World, file: string | undefined): () => Promise<LoadedConfig> {
  let loaded: Promise<LoadedConfig> | undefined
  const load = async (): Promise<LoadedConfig> => {
    const read = await readConfig(world, file)
    for (const warning of read.warnings) world.err.write(`Warning: ${printable(warning)}\n`)
    return read
  }
  return () => {
    loaded ??= load()
    return loaded
  }
}

async function readConfig({ env, cwd }: World, file: string | undefined): Promise<LoadedConfig> {
  const { loadConfig } = await import('../config/load.ts')
  return loadConfig({ env, cwd, ...(file === undefined ? {} : { file }) })
}

/** The damage of this box's database in the words of `doctor`; `null`: none. */
async function damageOfDatabase(error: unknown, world: World, configFile: string | undefined) {
  if (!isDatabaseDamage(error)) return null
  const { databaseFaultOf } = await import('./open.ts')
  const { config } = await readConfig(world, configFile)
  const fault = await databaseFaultOf(config, world)
  return fault && new OperatorError(`${fault.found} ${fault.advice}`)
}

async function tell(error: unknown, world: World, configFile: string | undefined): Promise<ExitStatus> {
  if (error instanceof OutputClosed) return 0
  if (error instanceof OperatorError) {
    const message = error instanceof AtWork ? error.messageOnBox : error.message
    world.err.write(`${printable(message.trimEnd(), 'lines')}\n`)
    return error.exitStatus
  }
  world.err.write(`internal error: ${printable(String(error))}\n`)
  world.err.write(
    `This is a fault in capture ${programVersion}. Please report it with the line above and the command you ran; CAPTURE_LOG_LEVEL=debug adds where it happened.\n`,
  )
  if (error instanceof Error && error.stack && (await isDebugging(world, configFile))) {
    world.err.write(`${printable(error.stack, 'lines')}\n`)
  }
  return 1
}

/** An unreadable configuration counts as no wish. */
async function isDebugging(world: World, configFile: string | undefined): Promise<boolean> {
  try {
    return (await readConfig(world, configFile)).config.log.level === 'debug'
  } catch {
    return false
  }
}
