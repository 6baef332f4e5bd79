import type { LinkedMail } from '../../operations/link/click-links.ts'
import { type TypedMail, typedMail } from '../../operations/link/typed-mail.ts'
import { usageError } from '../command.ts'

/** The mail described by the options of `link sign` and `link rewrite`. @throws a usage error for invalid values */
export const mailFrom = (account: string, options: Omit<TypedMail, 'account'>): LinkedMail =>
  typedMail({ account, ...options }, (part, expected, typed) =>
    usageError(`--${part} takes ${expected}, not "${typed}".`),
  )
