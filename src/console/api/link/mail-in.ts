import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../../account/account.ts'
import type { LinkedMail } from '../../../operations/link/click-links.ts'
import { typedMail } from '../../../operations/link/typed-mail.ts'
import { ApiError } from '../api-error.ts'

/** The mail that click links are for. */
export const mailProperties = {
  email: Type.Optional(
    Type.String({ maxLength: 600, description: "The recipient's address; an opaque id stands in the link." }),
  ),
  message: Type.Optional(
    Type.String({ maxLength: 200, description: 'Your own id of the mail; readable in the link.' }),
  ),
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'The connected domain that the link is on.' })),
}

const mailSchema = Type.Object(mailProperties)

/** @throws ApiError `invalid` for an address or domain that is none */
export const mailIn = ({ handle }: StoredAccount, { email, message, domain }: Static<typeof mailSchema>): LinkedMail =>
  typedMail(
    { account: handle, email, message, domain },
    (part, expected) => new ApiError('invalid', `"${part}" has to be ${expected}.`),
  )
