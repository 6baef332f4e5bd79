/** The forms that stand in the document, or in a shadow root, now. */
export const formsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-svc-form]')]

export const idOf = (form: HTMLFormElement): string => form.dataset.svcForm as string
