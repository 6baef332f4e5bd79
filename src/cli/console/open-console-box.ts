import type { Config } from '../../config/config.ts'
import type { ConsoleBox } from '../../console/console-box.ts'
import { Passkeys } from '../../console/sign-in/passkeys.ts'
import { Passwords } from '../../console/sign-in/password.ts'
import { TokenBuckets } from '../../storage/memory/token-buckets.ts'
import { type CommandBox, openBox } from '../open.ts'
import type { Session, World } from '../session.ts'
import { consoleBase } from './console-base.ts'

/** Opens the box with everything that the console works with. */
export async function openConsoleBox(
  config: Config,
  world: World,
): Promise<{ box: CommandBox; consoleBox: ConsoleBox }> {
  const session: Session = {
    ...world,
    loadConfig: async () => ({ config, file: null, warnings: [] }),
  }
  const box = await openBox(config, session, { mustExist: true })
  const stores = await box.consoleStores()
  const consoleBox = {
    ...box,
    ...stores,
    budgets: new TokenBuckets(world.clock),
    passwords: new Passwords(),
    passkeys: new Passkeys(stores.users, world.clock),
    address: () => consoleBase(config),
  }
  return { box, consoleBox }
}
