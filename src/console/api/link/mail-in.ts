import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../../account/account.ts'
import type { LinkedMail } from '../../../operations/link/click-links.ts'
import { typedMail } from '../../../operations/link/typed-mail.ts'
import { ApiError } from '../api-error.ts'

/** The mail that the click links belong to. */
export const mail = Type.Object({
  email: Type.Optional(
    Type.String({ maxLength: 600, description: "The recipient's address; the link contains only an opaque id." }),
  ),
  message: Type.Optional(Type.String({ maxLength: 200, description: 'Your id of the mail; readable in the link.' })),
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'The connected domain of the link.' })),
})

/** @throws ApiError `invalid` for an invalid address or domain */
export const mailIn = ({ handle }: StoredAccount, { email, message, domain }: Static<typeof mail>): LinkedMail =>
  typedMail(
    { account: handle, email, message, domain },
    (part, expected) => new ApiError('invalid', `"${part}" must be ${expected}.`),
  )
