import type { Config } from '../../config/config.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** How printed addresses of the console begin; for this machine they say `localhost`. */
export function consoleBase(config: Config): string {
  const { host, listen } = config.console
  const base = host === null ? null : publicBase(config, host)
  if (base?.startsWith('https:')) return base
  if (listen !== null) return `http://localhost:${listen.port}`
  throw new OperatorError(
    'The console is closed: set [console] listen in capture.toml, or [console] host together with [https] mode.',
  )
}
