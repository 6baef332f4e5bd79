import { apply } from './apply.ts'
import type { Command } from './command.ts'
import { configCheck } from './config-check.ts'
import { configExample } from './config-example.ts'
import { exportCommand } from './export.ts'
import { keyNew } from './key-new.ts'
import { serve } from './serve.ts'
import { version } from './version.ts'

// Storage is imported when it is needed: `version` and `help` start without it.
const exporting = exportCommand(async (config, session) => (await import('./open.ts')).openBox(config, session))

/** Every command that works, in the order of the help. */
export const commands: Command[] = [serve, apply, keyNew, exporting, configExample, configCheck, version]
