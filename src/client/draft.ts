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
