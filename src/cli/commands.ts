import type { Command } from './command.ts'
import { configCheck } from './config-check.ts'
import { configExample } from './config-example.ts'
import { keyNew } from './key-new.ts'
import { version } from './version.ts'

/** Every command that works, in the order of the help. */
export const commands: Command[] = [keyNew, configExample, configCheck, version]
