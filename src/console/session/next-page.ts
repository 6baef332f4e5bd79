type Fields = ReadonlyMap<string, string>

export interface PageNotice {
  text: string
  /** The part of the page that shows it; absent: the page begins with it. */
  place?: 'notes'
}

/** What a session's next page shows beside its content. */
interface ForNextPage {
  path: string
  /** What was typed into a form before its sender had to confirm who they are. */
  fields?: Fields
  notice?: PageNotice
}

const keptMsMax = 10 * 60_000
const keptMax = 100
/** More than anybody types into a form that asks for a proof. */
const charactersMax = 4096

/** What waits for the next page of each session, in memory alone. */
export class NextPages {
  private readonly kept = new Map<string, ForNextPage & { until: number }>()

  keep(sessionId: string, next: ForNextPage, now: number): void {
    this.kept.delete(sessionId)
    const characters = [...(next.fields ?? [])].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    if (characters > charactersMax) return
    if (this.kept.size >= keptMax) this.kept.delete(this.kept.keys().next().value ?? '')
    this.kept.set(sessionId, { ...next, until: now + keptMsMax })
  }

  /** Gives it to its page, once. */
  take(sessionId: string, path: string, now: number): { fields: Fields; notice: PageNotice | null } {
    const next = this.kept.get(sessionId)
    const isForPage = next?.path === path
    if (isForPage) this.kept.delete(sessionId)
    const { fields = new Map(), notice = null } = isForPage && now < next.until ? next : {}
    return { fields, notice }
  }
}
