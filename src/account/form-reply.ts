/** The mail to a visitor after a submission (docs/replies.md). Its text is fixed and contains nothing of the submission. */
export interface FormReply {
  /** One line. */
  subject: string
  /** Plain text, lines ending in `\n`. */
  text: string
}
