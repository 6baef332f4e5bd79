import { keepLatest } from './keep-latest.ts'
import type { Site } from './site.ts'

/** The commands of a page by name (contract section 7, Command queue). What one throws is said on the console. */
export type Commands = Record<string, (...args: never[]) => unknown>

/** One account's script, at work on this page. */
interface Account {
  site: Site
  /** Carries out a command, unless it is addressed to another account. */
  run: (command: Command) => void
  /** Begins what the tag asks for, and has not begun: another tag of the account may ask for more. */
  heedTag: () => void
}

/** The page's `svc`: a stub until the first script arrives, then that script's. The scripts of other accounts join it. */
interface Svc {
  (...command: Command): void
  /** What was called before a script came, and the latest since then, for those that come later. */
  q?: Iterable<Command>
  /** In the order in which they started. */
  o?: Account[]
}

type Command = [name: string, ...args: unknown[]]

declare global {
  interface Window {
    svc?: Svc
  }
  interface Navigator {
    globalPrivacyControl?: boolean
  }
  interface Document {
    prerendering?: boolean
  }
}

/** The script of the same account that started before this one, be it from another of its connected domains. */
export const startedBefore = ({ origin, data: { siteKey } }: Site): Account | undefined =>
  window.svc?.o?.find(({ site }) => site.origin === origin || (siteKey && site.data.siteKey === siteKey))

/** Takes part in the page's `svc`, and carries out what was called before. */
export function takeCommands(site: Site, commands: Commands, heedTag: () => void): void {
  const { q, o: accounts = [] } = window.svc ?? {}
  const kept = [...(q ?? [])]

  const run = site.guarded(([called, ...args]: Command) => {
    const [name, host] = String(called).split('@') as [string, string?]
    // A form is sent once: by the account it is addressed to, or by the first.
    if (host ? !site.origin.endsWith('//' + host) : name === 'submit' && accounts[0]?.site !== site) return
    const names = Object.keys(commands)
    if (!names.includes(name)) throw `No command '${name}': there are ${names.join(', ')}`
    return (commands[name] as Commands[string])(...(args as never[]))
  })

  if (accounts.push({ site, run, heedTag }) === 1) {
    const svc: Svc = (...command) => {
      keepLatest(kept, command)
      for (const account of accounts) account.run(command)
    }
    window.svc = Object.assign(svc, { q: kept, o: accounts })
  }
  for (const command of [...kept]) run(command)
}
