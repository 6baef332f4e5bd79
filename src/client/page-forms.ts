/** The forms that stand in the page now. */
export const formsPresent = () => [...document.querySelectorAll<HTMLFormElement>('form[data-svc-form]')]

export const idOf = (form: HTMLFormElement): string => form.dataset.svcForm as string
