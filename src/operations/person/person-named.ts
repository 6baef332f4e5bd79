import type { StoredAccount } from '../../account/account.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import { NotThere } from '../../lib/operator-error.ts'
import type { Box } from '../box.ts'

/** Whom an operator means. */
export interface MeantPerson {
  /** As `identityEmail` writes it. */
  email: string
  /** `null`: nobody is known by the address; records may still mention it. */
  personId: string | null
}

/**
 * The person by `personId` or address.
 *
 * @throws NotThere when there is no person of that id, or when the text is neither
 */
export async function personNamed(
  { persons }: Pick<Box, 'persons'>,
  { id: accountId, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  text: string,
): Promise<MeantPerson> {
  const email = identityEmail(text)
  if (email !== null) return { email, personId: (await persons.named(accountId, email))?.id ?? null }
  const person = await persons.withId(accountId, text.toLowerCase())
  if (person !== null) return { email: person.email, personId: person.id }
  throw new NotThere(`There is no person "${text}" in ${handle}. \`capture export ${handle} persons\` lists everybody.`)
}
