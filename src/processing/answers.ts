/**
 * What storage had when the step began, each question asked once: foreseen ones together, in one statement, and one by
 * one those that only come up while entries are folded.
 */
export class Answers<Question, Answer extends NonNullable<unknown> | null> {
  private readonly known = new Map<string, Answer>()

  /** @param ask answers in the order of the questions; @param nameOf the same for the same question */
  constructor(
    private readonly ask: (questions: Question[]) => Answer[],
    private readonly nameOf: (question: Question) => string,
  ) {}

  foresee(questions: readonly Question[]): void {
    const open = new Map<string, Question>()
    for (const question of questions) {
      const name = this.nameOf(question)
      if (!this.known.has(name)) open.set(name, question)
    }
    if (open.size === 0) return
    const answers = this.ask([...open.values()])
    let position = 0
    for (const name of open.keys()) this.known.set(name, answers[position++] as Answer)
  }

  /** The answer from now on: what was asked for is there, made by an entry of the step. */
  set(question: Question, answer: Answer): void {
    this.known.set(this.nameOf(question), answer)
  }

  of(question: Question): Answer {
    const known = this.known.get(this.nameOf(question))
    if (known !== undefined) return known
    this.foresee([question])
    return this.known.get(this.nameOf(question)) as Answer
  }
}
