/** A form as it stood when the visitor sent it. */
export interface Draft {
  form: HTMLFormElement
  submitter?: HTMLElement | null | undefined
  data: FormData
  /** What was typed after this change is read again when the form is sent. */
  change: number
}

/** The number of each field's last change, counted from 1. */
export type LastChanges = WeakMap<EventTarget, number>

export type SendDraft = (draft: Draft) => void | Promise<void>

export type DraftOf = (form: HTMLFormElement, submitter?: HTMLElement | null) => Draft

/** What may lead to an event, and on which page it happened: a command, a move, or a happening in the document. */
export type Happening = [kind: string, url: string, ...parts: unknown[]]

/** Takes what happened in the document: on which page, and the way of the event from the inside out. */
export type TakeEvent = (url: string, event: Event, path: EventTarget[]) => void
