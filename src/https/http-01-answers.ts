/** More than the orders that can be under way, four, ask for. */
const answersMax = 100

/** Answers to HTTP-01 challenges that are under way (RFC 8555 section 8.3), by token; every plain listener shows them. */
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

  /** `null`: no challenge with this token is under way. */
  answerTo(token: string): string | null {
    return this.answers.get(token) ?? null
  }
}
