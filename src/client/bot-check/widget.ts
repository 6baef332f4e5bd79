/** The `botCheck` of the runtime configuration. */
export interface BotCheckOfAccount {
  provider: string
  sitekey: string
}

/** How visitors are spoken to. */
export interface SpokenTo {
  /** Asks them to solve the check; `undefined`: in English. */
  text: string | undefined
  /** `data-lang` of the script tag; without it a widget speaks the language of the page. */
  language: string | undefined
}

/**
 * Shows the bot check in a form; `wanted`: also solves it and resolves to an unused token. Rejects with what to tell
 * the visitor: a `CheckFault`, or an error if something could not be loaded.
 */
export type BotChecks = (form: HTMLFormElement, wanted?: boolean) => Promise<string | undefined>

/** Like an answer of the box: status, body, seconds to wait. */
export type CheckFault = [status: number, body: { error: { code: string; message: string } }, retryAfterSeconds: number]

/** A provider's widget in one form. */
export interface Widget {
  /** Solves the check, or waits until the visitor has. */
  token(): Promise<string>
  /** Back to unsolved. */
  reset(): void
}

export const fault = (code: string, message: string, status = 0, retryAfterSeconds = 0): CheckFault => [
  status,
  { error: { code, message } },
  retryAfterSeconds,
]

/** Why the box issues no challenge. */
export async function faultOf(response: Response): Promise<CheckFault> {
  const { error } = await response.clone().json()
  return fault(error.code, error.message, response.status, Number(response.headers.get('Retry-After')))
}
