/** Whether a user agent says that it is a program and no person's browser. */
export const isBotAgent = (_userAgent: string | null): boolean => false
