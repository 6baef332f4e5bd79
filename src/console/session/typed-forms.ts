type Fields = ReadonlyMap<string, string>

const keptMsMax = 10 * 60_000
const keptMax = 100
/** More than anybody types into a form that asks for a proof. */
const charactersMax = 4096

/** What was typed into a form before its sender had to confirm who they are, one form of each session, in memory alone. */
export class TypedForms {
  private readonly kept = new Map<string, { path: string; fields: Fields; until: number }>()

  /** @param now epoch milliseconds */
  keep(sessionId: string, { path, fields }: { path: string; fields: Fields }, now: number): void {
    this.kept.delete(sessionId)
    const characters = [...fields].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    if (characters > charactersMax) return
    if (this.kept.size >= keptMax) this.kept.delete(this.kept.keys().next().value ?? '')
    this.kept.set(sessionId, { path, fields, until: now + keptMsMax })
  }

  /** Gives the form back to its page, once; empty: there is none. */
  take(sessionId: string, path: string, now: number): Fields {
    const typed = this.kept.get(sessionId)
    if (typed?.path !== path) return new Map()
    this.kept.delete(sessionId)
    return now < typed.until ? typed.fields : new Map()
  }
}
