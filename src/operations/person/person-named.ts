import type { StoredAccount } from '../../account/account.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import { NotThere } from '../../lib/operator-error.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'

export interface PersonNamed {
  account: string
  /** In the form of `identityEmail`. */
  email: string
}

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

/** By which the audit log names a person; `''`: nobody is known by the id or address. */
export async function personIdOf(
  box: Pick<Box, 'accounts' | 'persons'>,
  { account, person }: { account: string; person: string },
): Promise<string> {
  try {
    return (await personNamed(box, await accountNamed(box.accounts, account), person)).personId ?? ''
  } catch (error) {
    if (error instanceof NotThere) return ''
    throw error
  }
}
