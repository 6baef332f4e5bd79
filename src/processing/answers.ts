/**
 * What storage held when the step began. Each question is asked once: foreseen ones together, in one statement; those
 * that only come up while entries are folded, one by one.
 */
export class Answers<Question, Answer extends NonNullable<unknown> | null> {
  private readonly known = new Map<string, Answer>()

  /**
   * @param ask answers in the order of the questions
   * @param nameOf gives equal questions the same name
   */
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

  /** Replaces the stored answer from now on, because an entry of the step created what was asked for. */
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
