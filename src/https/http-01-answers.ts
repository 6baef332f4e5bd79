/** Four orders at a time need far fewer. */
const answersMax = 100

/** Answers to current HTTP-01 challenges (RFC 8555 section 8.3) by token, served by every plain listener. */
export class Http01Answers {
  private readonly answers = new Map<string, string>()

  show(token: string, keyAuthorization: string): void {
    if (this.answers.size < answersMax) this.answers.set(token, keyAuthorization)
  }

  hide(token: string): void {
    this.answers.delete(token)
  }

  clear(): void {
    this.answers.clear()
  }

  /** `null`: no current challenge has this token. */
  answerTo(token: string): string | null {
    return this.answers.get(token) ?? null
  }
}
