/** What storage answered during a step; each question is asked once. */
export class Answers<Question, Answer extends NonNullable<unknown> | null> {
  private readonly known = new Map<string, Answer>()

  /** @param nameOf gives equal questions the same name */
  constructor(
    private readonly ask: (question: Question) => Answer,
    private readonly nameOf: (question: Question) => string,
  ) {}

  of(question: Question): Answer {
    const name = this.nameOf(question)
    const known = this.known.get(name)
    if (known !== undefined) return known
    const answer = this.ask(question)
    this.known.set(name, answer)
    return answer
  }

  /** Replaces the stored answer from now on, because an entry of the step created what was asked for. */
  set(question: Question, answer: Answer): void {
    this.known.set(this.nameOf(question), answer)
  }
}
