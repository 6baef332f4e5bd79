import type { SubmitForm } from './catch-forms.ts'
import type { Consent } from './consent.ts'
import type { Track } from './queue.ts'
import type { Site } from './site.ts'

/** The commands of a page (contract section 7, Command queue). */
export interface Commands {
  track: Track
  identify: (traits: object) => void
  consent: (granted: Consent) => void
  submit: SubmitForm
}

/** The page's `svc`: a stub until the script arrives, then the script's own. */
interface Svc {
  (...command: Command): void
  /** Commands that the stub kept. */
  q?: Command[]
  /** Origins whose script has started on this page. */
  o?: string[]
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

/** Whether a copy of this script is at work already, so that this one stays quiet. */
export const isStarted = (site: Site): boolean | undefined => window.svc?.o?.includes(site.origin)

/** Puts the script in the place of the stub and carries out what the stub kept. */
export function takeCommands(site: Site, commands: Commands): void {
  const earlier = window.svc
  const { q: kept = [], o: origins = [] } = earlier ?? {}
  const run = site.guarded((name: string, ...args: unknown[]) => {
    const command = (commands as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>)[name]
    if (!command) throw 'No command ' + name
    return command(...args)
  })

  const svc: Svc = (...command) => {
    // Another connected domain's script: the page speaks to both, but a form is sent once, by the first.
    if (origins[0]) {
      earlier?.(...command)
      if (command[0] === 'submit') return
    }
    run(...command)
  }
  svc.o = [...origins, site.origin]
  window.svc = svc
  for (const command of kept) run(...command)
}
