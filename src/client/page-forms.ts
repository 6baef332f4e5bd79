/** All forms now in the document or a shadow root. */
export const formsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-svc-form]')]

export const idOf = (form: HTMLFormElement): string => form.dataset.svcForm as string
