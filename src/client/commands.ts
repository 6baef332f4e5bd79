import type { Site } from './site.ts'

/** The page's commands by name (docs/script.md). An error is reported on the console. */
export type Commands = Record<string, (...args: never[]) => unknown>

/** One account's script, running on this page. */
interface Account {
  site: Site
  /** Carries out a command, unless it is addressed to another account. */
  run: (command: Command) => void
  /** Starts what the tag asks for and has not started: another tag of the account may ask for more. */
  heedTag: () => void
}

/** The page's `svc`: a stub until the first script loads, then that script's. Scripts of other accounts join it. */
interface Svc {
  (...command: Command): void
  /** Calls from before a script loaded and the latest since, for scripts that come later. */
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

/** The script of the same account that started before this one, possibly from another of its domains. */
export const startedBefore = ({ origin, data: { siteKey } }: Site): Account | undefined =>
  window.svc?.o?.find(({ site }) => site.origin === origin || (siteKey && site.data.siteKey === siteKey))

/** Joins the page's `svc` and carries out earlier calls. */
export function takeCommands(site: Site, commands: Commands, heedTag: () => void): void {
  const { q, o: accounts = [] } = window.svc ?? {}
  const kept = [...(q ?? [])]

  const run = site.guarded(([called, ...args]: Command) => {
    const [name, host] = String(called).split('@') as [string, string?]
    // A form is sent once: by the account it is addressed to, or else by the first.
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

const keptMax = 100

/** Adds a call; the oldest event makes room, since filters and consent apply to later events. */
export function keepLatest<Command extends [name: string, ...rest: unknown[]]>(
  list: Command[],
  command: Command,
): void {
  if (list.push(command) > keptMax) {
    list.splice(
      list.findIndex(([name]) => !/^(filter|consent)/.test(String(name))),
      1,
    )
  }
}

/** What may lead to an event, and on which page it happened: a command, a move, or a happening in the document. */
export type Happening = [kind: string, url: string, ...parts: unknown[]]

/** Takes what happened in the document: on which page, and the way of the event from the inside out. */
export type TakeEvent = (url: string, event: Event, path: EventTarget[]) => void
