/** Counts the line feeds of a text, or of bytes, in one pass from its beginning to its end. */
export class LineFeeds {
  private count = 0
  private next: number

  constructor(private readonly text: { indexOf: (mark: string, from?: number) => number }) {
    this.next = text.indexOf('\n')
  }

  /** @param at no smaller than the last one asked for */
  before(at: number): number {
    for (; this.next >= 0 && this.next < at; this.next = this.text.indexOf('\n', this.next + 1)) this.count += 1
    return this.count
  }
}
