/** The HTML standard's valid e-mail address in ASCII, with a dot in its domain. */
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** RFC 5321 section 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
const charactersMax = 254

/** Whether the text is one e-mail address and nothing beside it: no name, no list, no line break. */
export const isEmailAddress = (text: string): boolean => text.length <= charactersMax && pattern.test(text)
