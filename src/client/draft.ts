/** A form as it stood when the visitor sent it. */
export interface Draft {
  form: HTMLFormElement
  submitter?: HTMLElement | null | undefined
  data: FormData
}

export type SendDraft = (draft: Draft) => void | Promise<void>
