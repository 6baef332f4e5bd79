// Types of the Capture browser script (https://…/_svc/v1.js). Save this file in your project, for example as
// `capture.d.ts`, where TypeScript finds it: nothing needs to be imported.

/** The answer to an accepted submission: `event.detail` of `svc:accepted`. */
interface SvcAccepted {
  status: 'accepted'
  /** Downstream processing deduplicates on it. */
  submissionId: string
  /** Where the visitor is sent next, if the form has such an address. */
  redirectUrl?: string
}

/** Why a submission was refused: `event.detail` of `svc:refused`. */
interface SvcRefused {
  /** `unavailable` stands for no answer as well, such as a lost connection. */
  code:
    | 'validation'
    | 'unknown_source'
    | 'rate_limited'
    | 'bot'
    | 'unavailable'
    | 'internal'
    | 'method_not_allowed'
    // Found before anything was sent.
    | 'too_long'
    | 'files'
    // Of files, found before or after they were sent.
    | 'file_type'
    | 'file_too_large'
    | 'file_count'
    | 'file_infected'
    | (string & {})
  /** One sentence for developers. */
  message: string
  /** The HTTP status; 0: there was no answer that the page may see, or nothing was sent. */
  status: number
  /** With `too_long`: characters of the longest field, and how many about fit. */
  length?: number
  max?: number
}

/** What the consent signal may be: the global that `consent_signal` names, `svcConsent` unless configured otherwise. */
type SvcConsentSignal =
  | boolean
  | 'granted'
  | 'denied'
  | { granted: boolean }
  | undefined
  | null
  | (() => boolean | 'granted' | 'denied' | { granted: boolean } | undefined | null)

/** An event as a filter sees it. */
interface SvcEvent {
  event: string
  properties: Record<string, unknown>
  traits?: Record<string, unknown>
}

/** A command, or the same for the account of one connected domain: `track@go.acme.example`. */
type SvcCommand<Name extends string> = Name | `${Name}@${string}`

/** The commands of the script. Calls made before it arrives are kept by the stub and carried out later. */
interface Svc {
  /** Records an event. */
  (command: SvcCommand<'track'>, name: string, properties?: Record<string, unknown> | null): void
  /** States who the visitor is, for example `{ email: 'ada@example.com' }`. */
  (command: SvcCommand<'identify'>, traits: Record<string, unknown>): void
  /** The visitor's answer; takes the place of the consent signal. */
  (command: SvcCommand<'consent'>, granted: boolean): void
  /** Passes every event through a function, which returns the event, or `null` to drop it. */
  (command: SvcCommand<'filter'>, filter: (event: SvcEvent) => SvcEvent | null): void
  /** Sends a form with `data-svc-form` now. */
  (command: SvcCommand<'submit'>, form: HTMLFormElement, button?: HTMLElement | null): void
}

interface Window {
  svc: Svc
  svcConsent?: SvcConsentSignal
}

declare var svc: Svc

interface HTMLElementEventMap {
  'svc:accepted': CustomEvent<SvcAccepted>
  'svc:refused': CustomEvent<SvcRefused>
}

interface DocumentEventMap {
  'svc:accepted': CustomEvent<SvcAccepted>
  'svc:refused': CustomEvent<SvcRefused>
}
