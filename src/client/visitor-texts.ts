/**
 * What the script says to visitors, in one language (src/language/texts). A form's attribute `data-svc-message-<name>`
 * overrides a text.
 */
export interface VisitorTexts {
  accepted: string
  /** For all refusals without a text of their own. */
  unavailable: string
  /** Names `{length}` and `{max}`, in characters. */
  too_long: string
  files: string
  email: string
  bot_check: string
  /** Names `{types}`: endings of files. */
  file_type: string
  /** Names `{max}`: a size such as `10 MB`. */
  file_too_large: string
  /** Names `{count}`. */
  file_count: string
  file_infected: string
}
