/** What a visitor gets by mail after a submission (contract section 14). Fixed text: nothing of the submission is in it. */
export interface FormReply {
  /** One line. */
  subject: string
  /** Plain text, lines ending in `\n`. */
  text: string
}
