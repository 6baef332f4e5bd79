import { newKeyText } from '../../lib/id.ts'
import type { PageContent } from '../page-content.ts'

type Fields = ReadonlyMap<string, string>

export interface PageNotice {
  text: string
  /** Absent: it was done. */
  tone?: 'bad'
  /** The part of the page that shows it; absent: the page begins with it. */
  place?: 'notes'
  /** The form that takes it back. */
  undo?: { path: string; fields: Readonly<Record<string, string>> }
}

/** What a session's next page shows beside its content. */
interface ForNextPage {
  path: string
  /** What was typed into a form before its sender had to confirm who they are. */
  fields?: Fields
  notice?: PageNotice
}

interface KeptAnswer {
  sessionId: string
  path: string
  content: PageContent
  until: number
}

const keptMsMax = 10 * 60_000
const keptMax = 100
/** More than anybody types into a form that asks for a proof. */
const charactersMax = 4096
/** Of one answer, and of all: a mail with its links rewritten, or the text of a site. */
const answerCharactersMax = 4_194_304
const answersCharactersMax = 4 * answerCharactersMax
const answerIdCharacters = 22

/** What waits for the next page of each session, in memory alone. */
export class NextPages {
  private readonly kept = new Map<string, ForNextPage & { until: number }>()
  /** By id, the oldest first. */
  private readonly answers = new Map<string, KeptAnswer>()
  private answersCharacters = 0

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

  /**
   * Keeps the answer to a form for the page that the browser opens next: by its own id, because a session may have several tabs.
   *
   * @returns the id; `null`: the answer is too long to be kept
   */
  keepAnswer(sessionId: string, { path, content }: { path: string; content: PageContent }, now: number): string | null {
    const characters = content.body.text.length
    if (characters > answerCharactersMax) return null
    this.answersCharacters += characters
    for (const [id, { until }] of this.answers) {
      const fits = this.answers.size < keptMax && this.answersCharacters <= answersCharactersMax
      if (!fits || until <= now) this.dropAnswer(id)
    }
    const id = newKeyText(answerIdCharacters)
    this.answers.set(id, { sessionId, path, content, until: now + keptMsMax })
    return id
  }

  /** Gives an answer to its page, once: it may hold a secret. */
  takeAnswer(sessionId: string, { path, id }: { path: string; id: string }, now: number): PageContent | null {
    const answer = this.answers.get(id)
    if (answer === undefined || answer.sessionId !== sessionId || answer.path !== path) return null
    this.dropAnswer(id)
    return now < answer.until ? answer.content : null
  }

  /** Whoever uses the browser next finds nothing of a session that ended. */
  endSession(sessionId: string): void {
    this.kept.delete(sessionId)
    for (const [id, answer] of this.answers) if (answer.sessionId === sessionId) this.dropAnswer(id)
  }

  private dropAnswer(id: string): void {
    this.answersCharacters -= this.answers.get(id)?.content.body.text.length ?? 0
    this.answers.delete(id)
  }
}
