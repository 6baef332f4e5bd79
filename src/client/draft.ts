/** A form as it stood when the visitor sent it. */
export interface Draft {
  form: HTMLFormElement
  submitter?: HTMLElement | null | undefined
  data: FormData
  /** What was typed later than this change is read anew when the form is sent. */
  change: number
}

/** Which change of the page's fields was the last of each field: they are counted from 1. */
export type LastChanges = WeakMap<EventTarget, number>

export type SendDraft = (draft: Draft) => void | Promise<void>

export type DraftOf = (form: HTMLFormElement, submitter?: HTMLElement | null) => Draft
