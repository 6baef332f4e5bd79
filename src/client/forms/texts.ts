/** What visitors read; the attribute `data-svc-message-<name>` of a form takes the place of each. */
export const texts: Record<string, string> & { email: string; unavailable: string } = {
  accepted: 'Thank you, it has been sent.',
  unavailable: 'Sorry, it could not be sent. Please try again.',
  too_long: 'Not sent: this text has {length} characters, and about {max} fit. Please shorten it.',
  files: 'Not sent: files cannot be sent with this form. Send again to send it without them.',
  email: 'Please enter an email address.',
}
