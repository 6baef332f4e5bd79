/** A text of the script, which the page brings along in the language of its reader. */
export const scriptText = (text: 'offline' | 'retyped' | 'passkeyFailed' | 'selected'): string =>
  document.body.dataset[text] ?? ''
